import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { settings } from '../settings/settings.ts';

// OWASP's "device cookies" (Slow Down Online Guessing Attacks with Device Cookies): a browser that
// once gave the right password has tries of its own, so that a stranger's wrong ones do not shut
// its person out. They are few as well: a stolen cookie gains no more than a stranger has.

// The first bytes of a mark's nonce tell whose it was, to us alone, when it has ended.
const OWNER_BYTES = 4;
const RANDOM_BYTES = 12;
const NONCE_CHARACTERS = 22;
const MARK = /^([\w-]{22})\.([\w-]{43})$/;
// The longest that browsers keep one.
const LIFETIME_S = 400 * 24 * 60 * 60;

// Several people may share a machine.
const MAX_MARKS = 5;
const BETWEEN = '~';

/** An account as a mark is made of it. */
export type MarkedAccount = { id: string; password_hash: string | null };

/** The password's hash makes it end with the password; nobody reads it out of the result. */
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

/** What tells this account's marks apart, or null for a mark that is not one of them. */
function nonceOf(account: MarkedAccount, mark: string): string | null {
  const [, nonce = '', given = ''] = MARK.exec(mark) ?? [];
  if (nonce === '') return null;
  const isOurs = timingSafeEqual(signatureOf(account, nonce), Buffer.from(given, 'base64url'));
  return isOurs ? nonce : null;
}

/** The marks in a browser's cookie, the newest first, each of an account of its own. */
const marksIn = (kept: string | null): string[] => kept?.split(BETWEEN, MAX_MARKS) ?? [];

/**
 * What a browser is given that an account's person has just come in by.
 *
 * @param kept what it has already: the other accounts' marks stay
 */
export function markBrowser(account: MarkedAccount, kept: string | null): string {
  const nonce = Buffer.concat([ownerOf(account), randomBytes(RANDOM_BYTES)]).toString('base64url');
  const mark = `${nonce}.${signatureOf(account, nonce).toString('base64url')}`;
  const others = marksIn(kept).filter((each) => MARK.test(each) && !belongsTo(account, each));
  return [mark, ...others].slice(0, MAX_MARKS).join(BETWEEN);
}

/** Under which such a browser's tries are counted, or null where none of its marks is this account's. */
export function keyOfBrowser(account: MarkedAccount, kept: string): string | null {
  for (const mark of marksIn(kept)) {
    const nonce = nonceOf(account, mark);
    if (nonce) return `sign-in browser ${account.id} ${nonce}`;
  }
  return null;
}

/** The cookie that keeps the marks: its name, and how it is set. */
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
