import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { readNodeBody } from '../http/node-adapter.ts';
import { peerOf } from '../http/peer-address.ts';
import { PAGE_BODY_BYTES } from '../http/read-body.ts';
import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import { CallerLeftError } from '../rest/caller-left.ts';
import { HeldBody, HeldBytes } from '../rest/held-body.ts';
import type { BodyRefusal } from '../rest/types.ts';

const COMMON_HEADERS = { 'content-type': 'text/plain', 'cache-control': 'no-store' };
const REFUSALS = {
  too_large: {
    status: 413,
    text: 'What was sent is larger than 1 MiB. Go back and send less.',
    headers: {},
  },
  busy: {
    status: 503,
    text: 'Service is busy. Go back and try again in a moment.',
    headers: { 'retry-after': '1' },
  },
};

/** The request once more, with the body that was read of it. */
function withBody(request: IncomingMessage, body: Uint8Array): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion } = request;
  const head = { method, url, headers, rawHeaders, httpVersion };
  const whole = Object.assign(new IncomingMessage(request.socket), head, { complete: true });
  whole.push(body);
  whole.push(null);
  return whole;
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

function refuse(response: ServerResponse, refusal: BodyRefusal): void {
  const { status, text, headers } = REFUSALS[refusal];
  const length = { 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...COMMON_HEADERS, ...length, ...headers }).end(text);
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
    if (!leave) return refuse(response, 'busy');
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
    if (!leave) return refuse(response, 'busy');
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
 * Has `listener` asked only by requests whose body has come, of at most 1 MiB, and for whose bytes
 * there is room beside those of all others; answers 413 and 503 else. `GET` and `HEAD` pass as they are.
 *
 * Next would keep ten times as much of each, of as many as come, before any line of ours is asked.
 *
 * Asked in turn (`inTurn`): a request behind another answer has no socket, and would keep its place if
 * that breaks.
 *
 * @param listener settles when nothing of the request is held any more
 * @param fail told what went wrong when there is no answer
 */
export function forWholeBodies(
  listener: Answerer,
  trustedProxyHops: number,
  fail: (response: ServerResponse, error: unknown) => void,
): RequestListener {
  const all = new HeldBytes();
  const read = async ({ request, response }: Exchange): Promise<void> => {
    const held = new HeldBody(all, peerOf(request, trustedProxyHops));
    try {
      const body = await readNodeBody(request, PAGE_BODY_BYTES, held);
      if (typeof body === 'string') refuse(response, body);
      // Whoever leaves meanwhile keeps the place: the form is still held and worked on.
      else await listener(withBody(request, body), response);
    } finally {
      held.release();
    }
  };
  return (request, response) => {
    const hasNone = request.method === 'GET' || request.method === 'HEAD';
    const over = hasNone ? listener(request, response) : read({ request, response });
    over.catch((error: unknown) => {
      // To whoever has left nothing can be said.
      if (!(error instanceof CallerLeftError)) fail(response, error);
    });
  };
}
