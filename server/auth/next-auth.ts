import type { AuthOptions } from 'next-auth';
import { getToken } from 'next-auth/jwt';
import credentials from 'next-auth/providers/credentials';
import { getPool } from '../db/pool.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { tellRefusal } from '../observability/refusals.ts';
import { settings } from '../settings/settings.ts';
import { accountEmail } from '../staff/email-address.ts';
import { signOut } from './end-sessions.ts';
import { isWelcome, signInByProvider } from './provider-sign-in.ts';
import { oauthProviders } from './providers.ts';
import { SESSION_LIFETIME_MS } from './sessions.ts';
import { signIn } from './sign-in.ts';

/** Facts about a request that only the route knows. */
export type Caller = {
  address: string | null;
  addressKey: string;
  userAgent: string | null;
  requestId: string;
  /** The content of the browser's cookie (`browserCookie`). */
  browserMarks: string | null;
  /** The session in its other cookie, as `sessionIdOf` reads it. */
  sessionBefore: string | null;
};

/** Events that next-auth does not pass on to the route. */
type Listener = {
  /** A session could not be ended: next-auth reports nothing, and the browser's cookie goes. */
  stillOpen: (error: unknown) => void;
  /** The password was right: the browser may keep this. */
  known: (browserMarks: string) => void;
};

const SIGN_IN_PAGE = '/dashboard/sign-in';

/** next-auth shows the caller the message of any error from `authorize` and `signIn`. */
function faultOfOurs(error: unknown): never {
  log().error({ err: error }, 'a sign-in failed');
  throw new Error('failed');
}

/** Errors of an unreadable cookie: anybody can send one. */
const OF_COOKIE = new Set(['JWT_SESSION_ERROR', 'SIGNOUT_ERROR']);

/** Logs only the reason and the provider of next-auth's metadata: the rest may name a person. */
function logFault(code: string, known: Error | { error: Error; providerId?: unknown }): void {
  const isReason = known instanceof Error;
  const err = isReason ? known : known.error;
  const provider = isReason ? undefined : known.providerId;
  const level = OF_COOKIE.has(code) ? 'debug' : 'error';
  log()[level]({ err, code, provider }, 'next-auth failed');
}

/** Whether cookies are Secure, with the https-only prefix: where browsers come by https. */
function comesByHttps(): boolean {
  return settings().publicUrl.startsWith('https://');
}

/**
 * next-auth's options for one request.
 *
 * With credentials it keeps no sessions of its own: its sealed cookie holds our session's id (as
 * `sub`), whose row is read on every request and deleted on sign-out. For next-auth, a user's name
 * is the session's id.
 *
 * The only results about passwords are the errors `throttled` and `failed` and the refusal
 * `CredentialsSignin`; about a provider's address, `unverified` and `unknown`.
 */
export function authOptions(caller: Caller, listener: Listener): AuthOptions {
  const { address, requestId } = caller;
  return {
    secret: settings().authSecret,
    useSecureCookies: comesByHttps(),
    session: { strategy: 'jwt', maxAge: SESSION_LIFETIME_MS / 1000 },
    pages: { signIn: SIGN_IN_PAGE, signOut: SIGN_IN_PAGE, error: SIGN_IN_PAGE },
    logger: {
      error: logFault,
      warn: (code) => log().debug({ code }, 'next-auth warns'),
      debug: () => undefined,
    },
    providers: [
      credentials({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: async (given) => {
          const now = new Date();
          const result = await signIn(getPool(), {
            ...caller,
            email: String(given?.email ?? ''),
            password: String(given?.password ?? ''),
            now,
          }).catch(faultOfOurs);
          if (result.outcome === 'throttled') throw new Error('throttled');
          if (result.outcome === 'refused') return null;
          listener.known(result.browserMarks);
          return { id: result.sessionId };
        },
      }),
      ...oauthProviders(settings().providers),
    ],
    callbacks: {
      // As next-auth's default, which throws for an invalid address.
      redirect: ({ url, baseUrl }) => {
        const isOurs = URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === baseUrl;
        return isOurs ? new URL(url, baseUrl).href : baseUrl;
      },
      signIn: async ({ user, account }) => {
        if (account?.type === 'credentials') return true;
        const email = user.email ?? null;
        const refused = { what: 'provider', outcome: 'refused', address, requestId } as const;
        if (email === null) {
          tellRefusal(refused);
          return `${SIGN_IN_PAGE}?error=unverified`;
        }
        const isKnown = await isWelcome(getPool(), email, new Date()).catch(faultOfOurs);
        if (isKnown) return true;
        metrics().signIns.inc({ step: 'provider', outcome: 'refused' });
        tellRefusal({ ...refused, account: accountEmail(email) });
        return `${SIGN_IN_PAGE}?error=unknown`;
      },
      jwt: async ({ token, user, account }) => {
        if (!account || account.type === 'credentials') return token;
        const by = { ...caller, email: user.email ?? '', provider: account.provider };
        return {
          sub: await signInByProvider(getPool(), { ...by, now: new Date() }),
        };
      },
    },
    events: {
      signOut: async ({ token }) => {
        const sessionId = token?.sub;
        if (!sessionId) return;
        const leaving = { sessionId, address: caller.address, now: new Date() };
        await signOut(getPool(), leaving).catch(listener.stillOpen);
      },
    },
  };
}

/**
 * The session's id from a request's cookies, or null. Whether that session is still valid is up to
 * `findSession`.
 *
 * @param cookies all of them, by name: a long cookie comes in pieces
 */
export async function sessionIdOf(cookies: Record<string, string>): Promise<string | null> {
  const token = await getToken({
    // getToken reads nothing else of a request.
    req: { cookies, headers: {} } as Parameters<typeof getToken>[0]['req'],
    secret: settings().authSecret,
    secureCookie: comesByHttps(),
  });
  return token?.sub ?? null;
}

/**
 * Whether a `Cookie` header names a session, as `sessionIdOf` reads it. Names and values that need
 * decoding are never ours.
 */
export async function hasSession(cookie: string): Promise<boolean> {
  const pairs = cookie.split(';').map((pair) => pair.trim().split('=', 2) as [string, string]);
  return (await sessionIdOf(Object.fromEntries(pairs))) !== null;
}
