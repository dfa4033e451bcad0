import type { IncomingMessage, ServerResponse } from 'node:http';
import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';

/** For forms, sign-ins, calls of the dashboard and Inngest's runs, which have a few KiB at most. */
const MAX_BODY_BYTES = 64 * 1024;
/**
 * The limit for an invoice made by hand, with every field as long as the API allows, so that any
 * larger one still gets its validation errors. JSON writes a character in at most six bytes
 * (`\u0001`; an emoji has four). 500 positions of 512 × 6 + 44 bytes, a description of 1,024 × 6, a
 * reference of 255 × 6 and three addresses of 2,048 × 6 come to 1,602,538; names and numbers around
 * them add less than 1 KiB.
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

/** How long a page may keep its place after its caller has left. */
const LEFT_MS = 30_000;

/**
 * Limits how many of one session's pages are rendered at once and how many wait, and answers 503
 * beyond that. A page queries the database several times; one person's pages must not keep it from
 * the others.
 *
 * The cookie is not verified: an invented one gets only to the sign-in or to public pages.
 *
 * @param listener settles when it has finished the request
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

/** For each kind in the process: as many as are rendered in about ten seconds. */
const MOST_WAITING = 400;

/**
 * More pages at once only take turns from each other and from the API. A form costs little more
 * than a page, but a payment waits seconds for its acquirer, and hundreds pay at once in a sale; a
 * session's page may be a download, which takes as long as its reader.
 */
function placesOfKinds(): Record<Kind, KeyedSemaphore> {
  const some = (atWork: number) => new KeyedSemaphore({ atWork, waiting: MOST_WAITING });
  return {
    // A crawler of the documentation takes no buyer's turn.
    'seen by buyers': some(32),
    'seen by strangers': some(8),
    'sent by strangers': some(512),
    'of a session': some(128),
  };
}

/**
 * The longest time that a page keeps its place in the process: longer than a payment waits for its
 * acquirer. A stalled reader, a long download and a silent database keep it no longer.
 */
const KEPT_MS = 10_000;

/** Whether a `Cookie` header names one of our sessions: anybody can invent a likely one. */
export type IsSession = (cookie: string) => Promise<boolean>;

const OF_BUYERS = /^\/(?:pay|link)\//;

async function kindOf(request: IncomingMessage, isSession: IsSession): Promise<Kind> {
  const { method, url = '', headers } = request;
  const { cookie = '' } = headers;
  if (SESSION.test(cookie) && (await isSession(cookie))) return 'of a session';
  if (method !== 'GET' && method !== 'HEAD') return 'sent by strangers';
  return OF_BUYERS.test(url) ? 'seen by buyers' : 'seen by strangers';
}

/**
 * Limits how many pages of each kind are rendered at once and how many wait, and answers 503 beyond
 * that. Any number of buyers leaves room for staff and the API, and nobody waits in vain. Addresses
 * cannot tell callers apart, because many may share one.
 *
 * @param listener settles when it has finished the request
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
 * Answers 413 to a body that is longer than any of ours, and 411 to one without a length, which
 * every browser sends: Next would buffer ten times as much of each before calling any of our code.
 *
 * @returns whether the request was answered so
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
