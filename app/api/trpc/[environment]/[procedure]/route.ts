import type { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { cookies } from 'next/headers';
import superjson from 'superjson';
import { SHOWN_MERCHANT_HEADER } from '#app/dashboard/_shell/shown-merchant.ts';
import { browserCookie } from '#server/auth/known-browser.ts';
import { sessionIdOf } from '#server/auth/next-auth.ts';
import { isFromOwnPage } from '#server/auth/own-page.ts';
import { vouchedPeer } from '#server/http/peer-address.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { addressKey } from '#server/lib/address-key.ts';
import { GatewayError, type PlainErrorCode } from '#server/lib/errors.ts';
import { KeyedSemaphore } from '#server/lib/keyed-semaphore.ts';
import { LOCALE_COOKIE, negotiateLocale } from '#server/lib/locales.ts';
import { TokenBuckets } from '#server/lib/token-bucket.ts';
import { isEnvironment } from '#server/merchants/types.ts';
import { log } from '#server/observability/log.ts';
import { requestIdOf } from '#server/rest/request-id.ts';
import { createContext, type RequestContext } from '#server/trpc/context.ts';
import { trpcError } from '#server/trpc/refusals.ts';
import { appRouter } from '#server/trpc/root.ts';

type Context = { params: Promise<{ environment: string; procedure: string }> };

const PROCEDURES = appRouter._def.procedures;

// The data is for our own scripts: a browser must not show, frame, sniff or keep it.
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
};

// The limit is far above an office's clicks and far below what a script can do to us.
const calls = new TokenBuckets({ perSecond: 50, burst: 500 }, 10_000);

/**
 * The calls of one session, so that one person cannot keep the database from all others, even on
 * the same network. The number waiting makes a screen slow instead of failing.
 */
const places = new KeyedSemaphore({ atWork: 8, waiting: 32 });

type Refusal = { error: GatewayError; headers?: Record<string, string> };

const refusal = (code: PlainErrorCode): Refusal => ({ error: new GatewayError(code) });

/** Answers in tRPC's form of an error, so that its client reads it and a screen can show it. */
function answerTo({ error, headers }: Refusal, message: string): Response {
  const refused = trpcError(error);
  const { code } = refused;
  const httpStatus = getHTTPStatusCodeFromError(refused);
  const data = { code, httpStatus, reason: error.code };
  const body = superjson.serialize({ message, code: TRPC_ERROR_CODES_BY_KEY[code], data });
  return Response.json(
    { error: body },
    { status: httpStatus, headers: { ...HEADERS, ...headers } },
  );
}

const tooMany = (waitS: number): Refusal => ({
  ...refusal('too_many_requests'),
  headers: { 'Retry-After': String(waitS) },
});

/** Refuses too many calls from one address before any look-up. */
function throttled(address: string): Refusal | null {
  const waitMs = calls.take(addressKey(address), Date.now());
  if (waitMs === 0) return null;
  return tooMany(Math.ceil(waitMs / 1000));
}

function speakerFor(request: Request, cookies: Record<string, string>) {
  const accepted = request.headers.get('accept-language');
  const t = translatorOf(negotiateLocale(cookies[LOCALE_COOKIE], accepted), 'failures');
  return ({ code, values }: GatewayError): string => t(code, values);
}

/** The reason why a request cannot come from our own pages, or null. */
function whyRefused(request: Request, procedure: string): Refusal | null {
  // A GET has no effect, and no other site's page may read its answer.
  if (request.method !== 'GET' && !isFromOwnPage(request)) return refusal('other_site');
  // Our own pages call only procedures that exist, or existed when the page was loaded.
  return Object.hasOwn(PROCEDURES, procedure) ? null : refusal('page_of_earlier_version');
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

function logFailure(code: TRPCError['code'], about: { err: unknown; procedure: string }): void {
  if (code === 'INTERNAL_SERVER_ERROR') log().error(about, 'a procedure failed');
  else if (code === 'SERVICE_UNAVAILABLE') log().warn(about, 'a procedure waited too long');
}

/** Has the procedure answer a call. */
async function carryOut(
  call: Request,
  visit: Parameters<typeof createContext>[0],
  { procedure, refuse }: { procedure: string; refuse: (refused: Refusal) => Response },
): Promise<Response> {
  let context: RequestContext;
  try {
    context = await createContext(visit);
  } catch (err) {
    // tRPC could not put the error into words without a context.
    const error = err instanceof GatewayError ? err : new GatewayError('internal_error');
    logFailure(trpcError(error).code, { err, procedure });
    return refuse({ error });
  }
  return await fetchRequestHandler({
    endpoint: `/api/trpc/${visit.environment}`,
    req: call,
    router: appRouter,
    allowBatching: false,
    createContext: () => context,
    responseMeta: () => ({ headers: HEADERS }),
    onError: ({ error }) => logFailure(error.code, { err: error, procedure }),
  });
}

async function handle(request: Request, context: Context): Promise<Response> {
  const { environment, procedure } = await context.params;
  const kept = cookiesOf(request);
  const inWords = speakerFor(request, kept);
  const refuse = (refused: Refusal): Response => answerTo(refused, inWords(refused.error));
  const address = vouchedPeer(request.headers);
  const shownMerchantId = request.headers.get(SHOWN_MERCHANT_HEADER);
  const refused = throttled(address) ?? whyRefused(request, procedure);
  if (refused) return refuse(refused);
  if (!isEnvironment(environment)) return refuse(refusal('environment_not_found'));
  const leave = await places.acquire((await sessionIdOf(kept)) ?? address);
  if (!leave) return refuse(tooMany(1));
  const browser = browserOf(kept);
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const from = { cookies: kept, address, requestId };
  const visit = { ...from, environment, shownMerchantId, inWords, browser };
  return await carryOut(request, visit, { procedure, refuse }).finally(leave);
}

export { handle as GET, handle as POST };
