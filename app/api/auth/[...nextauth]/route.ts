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

type Context = { params: Promise<{ nextauth: string[] }> };

// The set leaves out `_log`, because anybody could write into our log by it.
const ACTIONS = new Set(['callback', 'csrf', 'error', 'providers', 'session', 'signin', 'signout']);

// A sign-in makes two requests: the limit is far above an office's and far below a script's.
const requests = new TokenBuckets({ perSecond: 50, burst: 500 }, 10_000);

const HEADERS = { 'Cache-Control': 'no-store' };

function refuse(status: number, message: string, headers = {}): Response {
  return Response.json({ message }, { status, headers: { ...HEADERS, ...headers } });
}

/** The reason why a request does not reach next-auth, or null. */
function whyRefused(request: NextRequest, action: string, key: string): Response | null {
  const waitMs = requests.take(key, Date.now());
  if (waitMs > 0) {
    const wait = { 'Retry-After': String(Math.ceil(waitMs / 1000)) };
    return refuse(429, 'Too many requests. Wait a moment, then try again.', wait);
  }
  if (!ACTIONS.has(action)) return refuse(404, 'There is nothing here.');
  // next-auth checks only its token, which a cookie from a neighbouring host could match. A
  // provider leads back by a GET, whose state next-auth checks.
  if (request.method !== 'GET' && !isFromOwnPage(request)) {
    return refuse(403, 'This request did not come from a page of the gateway.');
  }
  return null;
}

async function handle(request: NextRequest, context: Context): Promise<Response> {
  const address = vouchedPeer(request.headers);
  const key = addressKey(address);
  const [action = ''] = (await context.params).nextauth;
  const refused = whyRefused(request, action, key);
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
  // The browser keeps its cookie, so that the user can still end the session.
  if (isStillOpen) return refuse(503, 'The session could not be ended. Try again.');
  for (const [name, value] of Object.entries(HEADERS)) answer.headers.set(name, value);
  return answer;
}

export { handle as GET, handle as POST };
