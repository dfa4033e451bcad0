import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../db/pool.ts';
import { settings } from '../env.ts';

// OWASP's "device cookies" (Slow Down Online Guessing Attacks with Device Cookies): a browser that
// once gave the right password has tries of its own, so that a stranger's wrong ones do not shut
// its person out. They are few as well: a stolen cookie gains no more than a stranger has.

const NONCE_BYTES = 16;
const MARK = /^([\w-]{22})\.([\w-]{43})$/;
// The longest that browsers keep one.
const LIFETIME_S = 400 * 24 * 60 * 60;

type Account = { id: string; password_hash: string | null };

/** The password's hash makes it end with the password; nobody reads it out of the result. */
function signatureOf({ id, password_hash }: Account, nonce: string): Buffer {
  return createHmac('sha256', settings().authSecret)
    .update(`known browser\n${id}\n${password_hash}\n${nonce}`)
    .digest();
}

/** What a browser is given that an account's person has just come in by. */
export function markBrowser(account: Account): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return `${nonce}.${signatureOf(account, nonce).toString('base64url')}`;
}

/** The same by an account's id alone. @throws Error when there is no such account */
export async function markBrowserOf(db: Queryable, userId: string): Promise<string> {
  const { rows } = await db.query<Account>('SELECT id, password_hash FROM users WHERE id = $1', [
    userId,
  ]);
  if (!rows[0]) throw new Error('an account vanished after its password was set');
  return markBrowser(rows[0]);
}

/** Under which such a browser's tries are counted, or null for a mark that is not this account's. */
export function keyOfBrowser(account: Account, mark: string): string | null {
  const [, nonce = '', given = ''] = MARK.exec(mark) ?? [];
  if (nonce === '') return null;
  const isOurs = timingSafeEqual(signatureOf(account, nonce), Buffer.from(given, 'base64url'));
  return isOurs ? `sign-in browser ${account.id} ${nonce}` : null;
}

/** The cookie that keeps a mark: its name, and how it is set. */
export function browserCookie() {
  // Only https may set that prefix, and only for this very host.
  const isHttps = settings().publicUrl.startsWith('https://');
  return {
    name: isHttps ? '__Host-known-browser' : 'known-browser',
    options: {
      httpOnly: true,
      secure: isHttps,
      sameSite: 'strict',
      path: '/',
      maxAge: LIFETIME_S,
    } as const,
  };
}
