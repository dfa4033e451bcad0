import type { IncomingMessage, ServerResponse } from 'node:http';
import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';

/** Of forms, sign-ins, calls of the dashboard and Inngest's runs, whose largest has a few KiB. */
const MAX_BODY_BYTES = 64 * 1024;
/**
 * Of an invoice made by hand whose fields are each as long as the API allows: so much comes as far as
 * to be told what is wrong with it. JSON writes a character in six bytes at most (`\u0001`; an emoji
 * has four). 500 positions of 512 × 6 + 44 bytes, a description of 1,024 × 6, a reference of 255 × 6
 * and three addresses of 2,048 × 6 come to 1,602,538; less than 1 KiB of names and numbers is around
 * them.
 */
export const MAX_FORM_BYTES = 1_600 * 1024;
const LARGE_FORM = /^\/api\/trpc\/\w+\/paymentLinks\.create/;

const TEXT_HEADERS = { 'content-type': 'text/plain', 'cache-control': 'no-store' };

function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  const length = { 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...TEXT_HEADERS, ...length, ...headers }).end(text);
}

function refuseBusy(response: ServerResponse): void {
  const text = 'Service is busy. Go back and try again in a moment.';
  refuse(response, 503, text, { 'retry-after': '1' });
}

type Answerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const SESSION = /(?:^|;\s*)(?:__\w+-)?next-auth\.session-token(?:\.0)?=([^;]+)/;

/** More than a browser asks for at once; a proxy may pass on more, and those wait. */
const MOST_PAGES = { atWork: 8, waiting: 100 };

/** How long after its caller has left a page may still be worked on and keep its place. */
const LEFT_MS = 30_000;

/**
 * Has some of one session's pages worked on at once and some more wait, and answers 503 to what is
 * beyond: one person's pages, of which each asks the database several things, keep it from nobody else.
 *
 * Whatever the cookie says: who makes one up gets no further than to the sign-in, or to what everybody
 * may see.
 *
 * @param listener settles when it works on the request no more
 */
export function forFewOfSession(listener: Answerer): Answerer {
  const places = new KeyedSemaphore(MOST_PAGES);
  return async (request, response) => {
    const session = SESSION.exec(request.headers.cookie ?? '')?.[1];
    if (session === undefined) return await listener(request, response);
    const leave = await places.acquire(session);
    if (!leave) return refuseBusy(response);
    response.once('close', () => setTimeout(leave, LEFT_MS).unref());
    try {
      if (!response.destroyed) await listener(request, response);
    } finally {
      leave();
    }
  };
}

type Kind = 'of a session' | 'seen by buyers' | 'seen by strangers' | 'sent by strangers';

/** Of each kind in the process: as many as it makes in some ten seconds. */
const MOST_WAITING = 400;

/**
 * More pages at work only take turns from each other and from the API. A form costs little more than a
 * page, but a payment waits for its acquirer for seconds, and in a sale hundreds pay at once; a page of
 * a session may be a download, which takes as long as its reader.
 */
function placesOfKinds(): Record<Kind, KeyedSemaphore> {
  const some = (atWork: number) => new KeyedSemaphore({ atWork, waiting: MOST_WAITING });
  return {
    // Whoever walks through all of the documentation takes no turn of a buyer's.
    'seen by buyers': some(32),
    'seen by strangers': some(8),
    'sent by strangers': some(512),
    'of a session': some(128),
  };
}

/**
 * How long a page keeps its place of the process at most: longer than a payment waits for its acquirer.
 * A reader who takes nothing, a long download and a silent database keep it no longer.
 */
const KEPT_MS = 10_000;

/** Whether such a `Cookie` header names a session of ours: anybody can make up one that looks so. */
export type IsSession = (cookie: string) => Promise<boolean>;

async function kindOf(request: IncomingMessage, isSession: IsSession): Promise<Kind> {
  const { method, url = '', headers } = request;
  const { cookie = '' } = headers;
  if (SESSION.test(cookie) && (await isSession(cookie))) return 'of a session';
  if (method !== 'GET' && method !== 'HEAD') return 'sent by strangers';
  return url.startsWith('/pay/') ? 'seen by buyers' : 'seen by strangers';
}

/**
 * Has some pages of each kind worked on at once and some more wait, and answers 503 to what is beyond:
 * however many buyers come, they leave room for staff and the API, and nobody waits in vain. By address
 * they cannot be told apart, for many may share one.
 *
 * @param listener settles when it works on the request no more
 */
export function forFewOfProcess(listener: Answerer, isSession: IsSession): Answerer {
  const places = placesOfKinds();
  return async (request, response) => {
    const leave = await places[await kindOf(request, isSession)].acquire('');
    if (!leave) return refuseBusy(response);
    const limit = setTimeout(leave, KEPT_MS).unref();
    try {
      if (!response.destroyed) await listener(request, response);
    } finally {
      clearTimeout(limit);
      leave();
    }
  };
}

/**
 * Answers 413 to a body that is longer than anything of ours, and 411 to one that does not tell its
 * length, which every browser does: Next would keep ten times as much of each before any line of ours
 * is asked.
 *
 * @returns whether the request is answered with that
 */
export function refuseLongBody(
  { headers, url = '' }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const most = LARGE_FORM.test(url) ? MAX_FORM_BYTES : MAX_BODY_BYTES;
  if (headers['transfer-encoding'] !== undefined) {
    refuse(response, 411, 'Send a Content-Length.');
    return true;
  }
  if (Number(headers['content-length'] ?? 0) <= most) return false;
  refuse(response, 413, `What was sent is larger than ${most / 1024} KiB. Go back and send less.`);
  return true;
}
