import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { settings } from '../settings/settings.ts';

// OWASP's "device cookies" (Slow Down Online Guessing Attacks with Device Cookies): a browser that
// once gave the right password has tries of its own, so that a stranger's wrong ones do not lock
// its person out. It has as few as a stranger, so a stolen cookie gains nothing more.

// The first bytes of a mark's nonce identify its account, to us alone, after it has ended.
const OWNER_BYTES = 4;
const RANDOM_BYTES = 12;
const NONCE_CHARACTERS = 22;
const MARK = /^([\w-]{22})\.([\w-]{43})$/;
// The longest time that browsers keep a cookie.
const LIFETIME_S = 400 * 24 * 60 * 60;

// Several people may share a machine.
const MAX_MARKS = 5;
const BETWEEN = '~';

/** The parts of an account that its mark is made of. */
export type MarkedAccount = { id: string; password_hash: string | null };

/** The password's hash makes the mark end with the password; nobody can read it from the result. */
function signatureOf({ id, password_hash }: MarkedAccount, nonce: string): Buffer {
  return createHmac('sha256', settings().authSecret)
    .update(`known browser\n${id}\n${password_hash}\n${nonce}`)
    .digest();
}

function ownerOf({ id }: MarkedAccount): Buffer {
  const { authSecret } = settings();
  return createHmac('sha256', authSecret)
    .update(`known browser of\n${id}`)
    .digest()
    .subarray(0, OWNER_BYTES);
}

/** Whether a mark is or was this account's. */
function belongsTo(account: MarkedAccount, mark: string): boolean {
  const nonce = Buffer.from(mark.slice(0, NONCE_CHARACTERS), 'base64url');
  return nonce.subarray(0, OWNER_BYTES).equals(ownerOf(account));
}

/** The nonce of one of this account's marks, or null for any other mark. */
function nonceOf(account: MarkedAccount, mark: string): string | null {
  const [, nonce = '', given = ''] = MARK.exec(mark) ?? [];
  if (nonce === '') return null;
  const isOurs = timingSafeEqual(signatureOf(account, nonce), Buffer.from(given, 'base64url'));
  return isOurs ? nonce : null;
}

/** The marks in a browser's cookie, the newest first, each for a different account. */
const marksIn = (kept: string | null): string[] => kept?.split(BETWEEN, MAX_MARKS) ?? [];

/**
 * The cookie for a browser in which an account's person has just signed in.
 *
 * @param kept its current cookie: other accounts' marks stay
 */
export function markBrowser(account: MarkedAccount, kept: string | null): string {
  const nonce = Buffer.concat([ownerOf(account), randomBytes(RANDOM_BYTES)]).toString('base64url');
  const mark = `${nonce}.${signatureOf(account, nonce).toString('base64url')}`;
  const others = marksIn(kept).filter((each) => MARK.test(each) && !belongsTo(account, each));
  return [mark, ...others].slice(0, MAX_MARKS).join(BETWEEN);
}

/** The key that counts this browser's tries, or null without a mark of this account. */
export function keyOfBrowser(account: MarkedAccount, kept: string): string | null {
  for (const mark of marksIn(kept)) {
    const nonce = nonceOf(account, mark);
    if (nonce) return `sign-in browser ${account.id} ${nonce}`;
  }
  return null;
}

/** The name and attributes of the cookie that holds the marks. */
export function browserCookie() {
  // Only https may set that prefix, and only for this exact host.
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
