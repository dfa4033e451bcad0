import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';
import nextAuth from 'next-auth';
import { browserCookie } from '#server/auth/known-browser.ts';
import { authOptions, sessionIdOf } from '#server/auth/next-auth.ts';
import { isFromOwnPage } from '#server/auth/own-page.ts';
import { vouchedPeer } from '#server/http/peer-address.ts';
import { addressKey } from '#server/lib/address-key.ts';
import { TokenBuckets } from '#server/lib/token-bucket.ts';
import { log } from '#server/observability/log.ts';
import { requestIdOf } from '#server/rest/request-id.ts';
import { settings } from '#server/settings/settings.ts';

type Context = { params: Promise<{ nextauth: string[] }> };

// Not among them: `_log`, by which anybody could write into our log.
const ACTIONS = new Set(['callback', 'csrf', 'error', 'providers', 'session', 'signin', 'signout']);

// next-auth reads a body whole before it looks at it; the largest is an address and a password.
const MAX_BODY_BYTES = 16 * 1024;

// A sign-in asks twice: far beyond an office of people, far below what a script can do.
const requests = new TokenBuckets({ perSecond: 50, burst: 500 }, 10_000);

const CALLBACK_COOKIES = ['__Secure-next-auth.callback-url', 'next-auth.callback-url'];

const HEADERS = { 'Cache-Control': 'no-store' };

function refuse(status: number, message: string, headers = {}): Response {
  return Response.json({ message }, { status, headers: { ...HEADERS, ...headers } });
}

/** Where next-auth can lead to, and will only if it is ours; it answers 500 for anything else. */
function isAddress(text: string): boolean {
  const base = text.startsWith('/') ? settings().publicUrl : undefined;
  return URL.canParse(text, base) && /^https?:$/.test(new URL(text, base).protocol);
}

/** next-auth writes an error into a header as it stands. */
const isPrintable = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * What of the address or the cookies next-auth would answer 500 for.
 *
 * @param detail what the path names after the action: of `error` the reason, where the query has none
 */
function whyOdd({ nextUrl, cookies }: NextRequest, detail: string): Response | null {
  const { searchParams: query } = nextUrl;
  // All of a name: next-auth takes the last one.
  if (!query.getAll('callbackUrl').every(isAddress)) {
    return refuse(400, 'callbackUrl is no address.');
  }
  if (!query.getAll('error').every(isPrintable)) return refuse(400, 'error is not printable.');
  if (!isPrintable(detail)) return refuse(400, 'The path is not printable.');
  for (const name of CALLBACK_COOKIES) {
    const kept = cookies.get(name)?.value;
    if (kept === undefined || kept === '' || isAddress(kept)) continue;
    // Browsers take the prefixed one from https only, and marked so.
    const mark = name.startsWith('__Secure-') ? '; Secure' : '';
    const gone = { 'Set-Cookie': `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${mark}` };
    return refuse(400, `The cookie ${name} is no address. It is deleted: ask again.`, gone);
  }
  return null;
}

/** Why next-auth would answer 500 for a body of JSON, or null. */
async function whyUnreadable(request: NextRequest): Promise<Response | null> {
  if (!request.headers.get('content-type')?.includes('application/json')) return null;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  if (typeof body !== 'object' || body === null) return refuse(400, 'The body is no JSON object.');
  const isText = !('callbackUrl' in body) || typeof body.callbackUrl === 'string';
  return isText ? null : refuse(400, 'callbackUrl is no text.');
}

/** Why a request does not come to next-auth, or null. */
async function whyRefused(request: NextRequest, [action = '', detail = '']: string[], key: string) {
  const waitMs = requests.take(key, Date.now());
  if (waitMs > 0) {
    const wait = { 'Retry-After': String(Math.ceil(waitMs / 1000)) };
    return refuse(429, 'Too many requests. Wait a moment, then try again.', wait);
  }
  if (!ACTIONS.has(action)) return refuse(404, 'There is nothing here.');
  const odd = whyOdd(request, detail);
  if (odd || request.method === 'GET') return odd;
  // next-auth asks for its token alone, which a cookie set by a neighbouring host could match.
  if (!isFromOwnPage(request)) {
    return refuse(403, 'This did not come from a page of the gateway.');
  }
  const length = request.headers.get('content-length');
  if (length === null) return refuse(411, 'Send a Content-Length.');
  if (Number(length) > MAX_BODY_BYTES) return refuse(413, 'The body is too large.');
  return await whyUnreadable(request);
}

async function handle(request: NextRequest, context: Context): Promise<Response> {
  const address = vouchedPeer(request.headers);
  const key = addressKey(address);
  const { nextauth } = await context.params;
  const [action, provider] = nextauth;
  if (request.method === 'GET' && action === 'callback' && provider === 'credentials') {
    // next-auth would answer 500.
    return refuse(405, 'Send a POST.', { Allow: 'POST' });
  }
  const refused = await whyRefused(request, nextauth, key);
  if (refused) return refused;
  const userAgent = request.headers.get('user-agent');
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const jar = await cookies();
  const { name: cookie, options: kept } = browserCookie();
  const browserMarks = jar.get(cookie)?.value ?? null;
  const cookiesByName = Object.fromEntries(jar.getAll().map(({ name, value }) => [name, value]));
  // Only a callback signs somebody in.
  const sessionBefore = action === 'callback' ? await sessionIdOf(cookiesByName) : null;
  let isStillOpen = false;
  const options = authOptions(
    { address, addressKey: key, userAgent, requestId, browserMarks, sessionBefore },
    {
      stillOpen: (error) => {
        log().error({ err: error }, 'a session could not be ended');
        isStillOpen = true;
      },
      known: (marks) => jar.set(cookie, marks, kept),
    },
  );
  const answer: Response = await nextAuth(request, context, options);
  // The browser keeps its cookie, and with it the way to end what goes on.
  if (isStillOpen) return refuse(503, 'The session could not be ended. Try again.');
  for (const [name, value] of Object.entries(HEADERS)) answer.headers.set(name, value);
  return answer;
}

export { handle as GET, handle as POST };
