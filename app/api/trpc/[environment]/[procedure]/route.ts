import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import superjson from 'superjson';
import { LOCALE_COOKIE, negotiateLocale } from '#app/_i18n/locales.ts';
import { isSameOrigin } from '#app/_ui/same-origin.ts';
import { failureInWords } from '#app/dashboard/_i18n/failures.ts';
import { settings } from '#server/env.ts';
import { TokenBuckets } from '#server/lib/token-bucket.ts';
import { log } from '#server/log.ts';
import { isEnvironment } from '#server/merchants/types.ts';
import { addressKey } from '#server/rest/address-key.ts';
import { vouchedPeer } from '#server/rest/peer-address.ts';
import { createContext } from '#server/trpc/context.ts';
import { appRouter } from '#server/trpc/root.ts';

type Context = { params: Promise<{ environment: string }> };

const MAX_BODY_BYTES = 64 * 1024;

function refuse(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status, headers: HEADERS });
}

// Data for our own scripts: nothing that a browser should show, frame, guess at or keep.
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
};

// Far beyond what an office of people clicks, far below what a script can do to us.
const calls = new TokenBuckets({ perSecond: 50, burst: 500 }, 10_000);

/** Too many calls from one address are refused before anything is looked up for them. */
function throttled(address: string, inWords: (message: string) => string): Response | null {
  const waitMs = calls.take(addressKey(address), Date.now());
  if (waitMs === 0) return null;
  const message = inWords('Too many requests. Wait a moment, then try again.');
  const data = { code: 'TOO_MANY_REQUESTS', httpStatus: 429, faults: null };
  // As tRPC writes an error, so that its client reads it.
  const error = superjson.serialize({
    message,
    code: TRPC_ERROR_CODES_BY_KEY.TOO_MANY_REQUESTS,
    data,
  });
  const headers = { ...HEADERS, 'Retry-After': String(Math.ceil(waitMs / 1000)) };
  return Response.json({ error }, { status: 429, headers });
}

function speakerFor(request: Request, cookies: Record<string, string>) {
  const accepted = request.headers.get('accept-language');
  const locale = negotiateLocale(cookies[LOCALE_COOKIE], accepted) === 'ru' ? 'ru' : 'en';
  return (message: string): string => failureInWords(message, locale);
}

/**
 * Why a request cannot come from our own pages, or null. A form on another site can
 * send cookies with multipart, urlencoded and plain bodies, but neither JSON nor our
 * origin; a length is demanded because the body is read whole.
 */
function whyRefused(request: Request): Response | null {
  const header = (name: string): string | null => request.headers.get(name);
  const site = header('sec-fetch-site');
  if (request.method === 'GET') {
    return site !== null && site !== 'same-origin' ? refuse(403, 'Another site asked.') : null;
  }
  if (!isSameOrigin(header, settings().publicUrl)) return refuse(403, 'Another site asked.');
  const type = (header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return refuse(415, 'Send application/json.');
  const length = header('content-length');
  if (length === null) return refuse(411, 'Send a Content-Length.');
  return Number(length) > MAX_BODY_BYTES ? refuse(413, 'The body is too large.') : null;
}

function cookiesOf(request: Request): Record<string, string> {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')] as const;
  });
  return Object.fromEntries(pairs);
}

async function handle(request: Request, context: Context): Promise<Response> {
  const { environment } = await context.params;
  if (!isEnvironment(environment)) return refuse(404, 'No such environment.');
  const cookies = cookiesOf(request);
  const inWords = speakerFor(request, cookies);
  const address = vouchedPeer(request.headers);
  const refused = throttled(address, inWords) ?? whyRefused(request);
  if (refused) return refused;
  return await fetchRequestHandler({
    endpoint: `/api/trpc/${environment}`,
    req: request,
    router: appRouter,
    allowBatching: false,
    createContext: () => createContext({ cookies, environment, address, inWords }),
    responseMeta: () => ({ headers: HEADERS }),
    onError: ({ error, path }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR') {
        log().error({ err: error, procedure: path }, 'a procedure failed');
      }
    },
  });
}

export { handle as GET, handle as POST };
