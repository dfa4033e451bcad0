import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { cookies } from 'next/headers';
import superjson from 'superjson';
import { LOCALE_COOKIE, negotiateLocale } from '#app/_i18n/locales.ts';
import { failureInWords } from '#app/dashboard/_i18n/failures.ts';
import { SHOWN_MERCHANT_HEADER } from '#app/dashboard/_shell/shown-merchant.ts';
import { browserCookie } from '#server/auth/known-browser.ts';
import { sessionIdOf } from '#server/auth/next-auth.ts';
import { isFromOwnPage } from '#server/auth/own-page.ts';
import { vouchedPeer } from '#server/http/peer-address.ts';
import { readBody } from '#server/http/read-body.ts';
import { addressKey } from '#server/lib/address-key.ts';
import { KeyedSemaphore } from '#server/lib/keyed-semaphore.ts';
import { TokenBuckets } from '#server/lib/token-bucket.ts';
import { isEnvironment } from '#server/merchants/types.ts';
import { log } from '#server/observability/log.ts';
import { type HeldBody, heldCall } from '#server/rest/held-body.ts';
import { requestIdOf } from '#server/rest/request-id.ts';
import { createContext } from '#server/trpc/context.ts';
import { EARLIER_PAGE } from '#server/trpc/init.ts';
import { appRouter } from '#server/trpc/root.ts';
import { MAX_FORM_BYTES } from '#server/trpc/routers/payment-links.ts';

type Context = { params: Promise<{ environment: string; procedure: string }> };

const PROCEDURES = appRouter._def.procedures;

const MAX_BODY_BYTES = 64 * 1024;

const MAX_BYTES_OF: Record<string, number> = { 'paymentLinks.create': MAX_FORM_BYTES };

// Data for our own scripts: nothing that a browser should show, frame, guess at or keep.
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
};

// Far beyond what an office of people clicks, far below what a script can do to us.
const calls = new TokenBuckets({ perSecond: 50, burst: 500 }, 10_000);

/**
 * Of one session's calls, which go by it and not by its network: one person must not keep the
 * database from all others. That many wait lets a screen be slow and not fail.
 */
const places = new KeyedSemaphore({ atWork: 8, waiting: 32 });

type Refusal = {
  status: number;
  code: keyof typeof TRPC_ERROR_CODES_BY_KEY;
  message: string;
  headers?: Record<string, string>;
};

const NO_ENVIRONMENT: Refusal = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'There is no such environment.',
};
const OTHER_SITE: Refusal = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'This did not come from a page of the gateway.',
};
const NOT_JSON: Refusal = {
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: 'Send application/json.',
};
/** Our own pages call what there is, or what there was when they were loaded. */
const NO_PROCEDURE: Refusal = { status: 412, code: 'PRECONDITION_FAILED', message: EARLIER_PAGE };
// tRPC has no code for 411.
const NO_LENGTH: Refusal = { status: 411, code: 'BAD_REQUEST', message: 'Send a Content-Length.' };
const TOO_LARGE: Refusal = {
  status: 413,
  code: 'PAYLOAD_TOO_LARGE',
  message: 'This is too much to send at once. Shorten it, then try again.',
};
const BROKEN_OFF: Refusal = {
  status: 400,
  code: 'BAD_REQUEST',
  message: 'The request broke off before its end.',
};
const BUSY: Refusal = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'Service is busy',
  headers: { 'Retry-After': '1' },
};

/** Answers as tRPC writes an error, so that its client reads it and a screen can show it. */
function answerTo({ status, code, message, headers }: Refusal): Response {
  const data = { code, httpStatus: status, faults: null };
  const error = superjson.serialize({ message, code: TRPC_ERROR_CODES_BY_KEY[code], data });
  return Response.json({ error }, { status, headers: { ...HEADERS, ...headers } });
}

function tooMany(waitS: number): Refusal {
  return {
    status: 429,
    code: 'TOO_MANY_REQUESTS',
    message: 'Too many requests. Wait a moment, then try again.',
    headers: { 'Retry-After': String(waitS) },
  };
}

/** Too many calls from one address are refused before anything is looked up for them. */
function throttled(address: string): Refusal | null {
  const waitMs = calls.take(addressKey(address), Date.now());
  if (waitMs === 0) return null;
  return tooMany(Math.ceil(waitMs / 1000));
}

function speakerFor(request: Request, cookies: Record<string, string>) {
  const accepted = request.headers.get('accept-language');
  const locale = negotiateLocale(cookies[LOCALE_COOKIE], accepted) === 'ru' ? 'ru' : 'en';
  return (message: string): string => failureInWords(message, locale);
}

function mostBytesOf(procedure: string): number {
  return MAX_BYTES_OF[procedure] ?? MAX_BODY_BYTES;
}

/**
 * Why a request cannot come from our own pages, or null. A form on another site can
 * send cookies with multipart, urlencoded and plain bodies, but neither JSON nor our
 * origin; a length is demanded because the body is read whole.
 */
function whyRefused(request: Request, procedure: string): Refusal | null {
  // A GET has no effect, and nobody else's page may read its answer.
  const isRead = request.method === 'GET';
  if (!isRead && !isFromOwnPage(request)) return OTHER_SITE;
  if (!Object.hasOwn(PROCEDURES, procedure)) return NO_PROCEDURE;
  if (isRead) return null;
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return NOT_JSON;
  const length = request.headers.get('content-length');
  if (length === null) return NO_LENGTH;
  return Number(length) > mostBytesOf(procedure) ? TOO_LARGE : null;
}

/**
 * The request with its body read, or why there is none. tRPC would ask who calls first and read then:
 * whoever keeps the last byte back for half a minute would still be let in as who they were before
 * their session ended or their role was taken.
 */
async function readCall(
  request: Request,
  procedure: string,
  held: HeldBody,
): Promise<Request | Refusal> {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  const take = (bytes: number): boolean => held.take(bytes);
  const body = await readBody(request, mostBytesOf(procedure), take).catch(() => null);
  if (body === null) return BROKEN_OFF;
  if (body === 'too_large') return TOO_LARGE;
  if (body === 'busy') return BUSY;
  const { method, headers, url, signal } = request;
  return new Request(url, { method, headers, signal, body });
}

function cookiesOf(request: Request): Record<string, string> {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')] as const;
  });
  return Object.fromEntries(pairs);
}

function browserOf(kept: Record<string, string>) {
  const { name, options } = browserCookie();
  const keep = async (marks: string): Promise<void> => {
    (await cookies()).set(name, marks, options);
  };
  return { marks: kept[name] ?? null, keep };
}

/** Has the procedure answer a call. */
function carryOut(call: Request, context: Parameters<typeof createContext>[0]): Promise<Response> {
  return fetchRequestHandler({
    endpoint: `/api/trpc/${context.environment}`,
    req: call,
    router: appRouter,
    allowBatching: false,
    createContext: () => createContext(context),
    responseMeta: () => ({ headers: HEADERS }),
    onError: ({ error, path }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR') {
        log().error({ err: error, procedure: path }, 'a procedure failed');
      } else if (error.code === 'SERVICE_UNAVAILABLE') {
        log().warn({ err: error, procedure: path }, 'a procedure waited too long');
      }
    },
  });
}

async function handle(request: Request, context: Context): Promise<Response> {
  const { environment, procedure } = await context.params;
  const kept = cookiesOf(request);
  const inWords = speakerFor(request, kept);
  const refuse = (refusal: Refusal): Response =>
    answerTo({ ...refusal, message: inWords(refusal.message) });
  const address = vouchedPeer(request.headers);
  const shownMerchantId = request.headers.get(SHOWN_MERCHANT_HEADER);
  const refused = throttled(address) ?? whyRefused(request, procedure);
  if (refused) return refuse(refused);
  if (!isEnvironment(environment)) return refuse(NO_ENVIRONMENT);
  const held = heldCall(address);
  try {
    const call = await readCall(request, procedure, held);
    if (!(call instanceof Request)) return refuse(call);
    const leave = await places.acquire((await sessionIdOf(kept)) ?? address);
    if (!leave) return refuse(tooMany(1));
    const browser = browserOf(kept);
    const requestId = requestIdOf(request.headers.get('x-request-id'));
    const from = { cookies: kept, address, requestId };
    const visit = { ...from, environment, shownMerchantId, inWords, browser };
    return await carryOut(call, visit).finally(leave);
  } finally {
    held.release();
  }
}

export { handle as GET, handle as POST };
