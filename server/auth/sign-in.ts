import { createHash } from 'node:crypto';
import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { recordPersonalAudit } from '../merchants/audit.ts';
import { PASSWORD_LENGTH } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { tellRefusal } from '../observability/refusals.ts';
import { accountEmail, MAX_EMAIL_LENGTH } from '../staff/email-address.ts';
import { keyOfBrowser, markBrowser } from './known-browser.ts';
import { proveByPassword } from './passwords.ts';
import { createSession, endSession } from './sessions.ts';
import { countTry, forgetTries, type Limit, numberOfTry } from './throttle.ts';

const QUARTER_OF_AN_HOUR_MS = 15 * 60 * 1000;
// Limits for an account and for each browser that it knows: far too few to guess, enough for a
// person who tries all they remember. The second is for an address, which a whole office may share,
// or instead for all browsers that an account knows.
export const ACCOUNT_LIMIT: Limit = { max: 10, windowMs: QUARTER_OF_AN_HOUR_MS };
export const ADDRESS_LIMIT: Limit = { max: 100, windowMs: QUARTER_OF_AN_HOUR_MS };

export type SignInRequest = {
  email: string;
  password: string;
  /** The network address, for the list of sessions and the audit log. */
  address: string | null;
  /** The key that counts an address: an IPv6 network counts as one. */
  addressKey: string;
  userAgent: string | null;
  requestId?: string;
  /** The browser's marks from earlier sign-ins of any account (`browserCookie`). */
  browserMarks?: string | null;
  /** The session in the browser's cookie: it ends, because nothing refers to it any more. */
  sessionBefore?: string | null;
  now: Date;
};

export type SignInOutcome =
  /**
   * A person with a second factor still owes a code, and the session opens nothing before. The
   * browser keeps `browserMarks`.
   */
  | { outcome: 'signed_in'; sessionId: string; browserMarks: string }
  /** Unknown address, wrong password, disabled account: nobody learns which. */
  | { outcome: 'refused' }
  | { outcome: 'throttled' };

/** An unknown address is counted like a known one, and never kept in clear. */
export function accountKey(email: string): string {
  return `sign-in account ${createHash('sha256').update(email).digest('base64url')}`;
}

/**
 * Signs in a member of staff. Each try is counted by account and by network address before the
 * password is checked; an unknown address costs the same time. A browser that the account knows is
 * counted separately: a stranger who uses up the tries of the account, or of their shared network,
 * does not lock it out.
 */
export async function signIn(pool: pg.Pool, request: SignInRequest): Promise<SignInOutcome> {
  const result = await tryPassword(pool, request);
  const outcome = result.outcome === 'signed_in' ? 'passed' : result.outcome;
  metrics().signIns.inc({ step: 'password', outcome });
  if (outcome !== 'passed') {
    const { address, requestId } = request;
    const account = accountEmail(request.email);
    tellRefusal({ what: 'password', outcome, account, address, requestId });
  }
  return result;
}

async function tryPassword(pool: pg.Pool, request: SignInRequest): Promise<SignInOutcome> {
  const { now, password } = request;
  // The looked-up form is counted: otherwise each spelling would have its own tries.
  const email = accountEmail(request.email);
  if (email.length > MAX_EMAIL_LENGTH || password.length > PASSWORD_LENGTH.most) {
    return { outcome: 'refused' };
  }
  const { rows } = await pool.query<{ id: string; password_hash: string | null }>({
    name: 'sign_in_user',
    text: 'SELECT id, password_hash FROM users WHERE email = $1 AND disabled_at IS NULL',
    values: [email],
  });
  const [known] = rows;
  const browser = known && request.browserMarks ? keyOfBrowser(known, request.browserMarks) : null;
  const key = browser ?? accountKey(email);
  // Right passwords count here too: each costs a hash, and a session.
  const place = browser ? `known browsers ${known?.id}` : `address ${request.addressKey}`;
  if (!(await countTry(pool, `sign-in ${place}`, ADDRESS_LIMIT, now))) {
    return { outcome: 'throttled' };
  }
  const number = await numberOfTry(pool, key, ACCOUNT_LIMIT, now);
  if (number > ACCOUNT_LIMIT.max) return { outcome: 'throttled' };

  const user = await proveByPassword(pool, known ?? null, password);
  if (!user) {
    const isLast = number === ACCOUNT_LIMIT.max;
    if (known && isLast) tellOfRefusals(pool, { id: known.id, email }, request);
    return { outcome: 'refused' };
  }

  return await inTransaction(pool, async (db) => {
    if (!(await holdAccount(db, user))) return { outcome: 'refused' };
    await forgetTries(db, key);
    const sessionId = await openSession(db, { id: user.id, email }, request);
    return {
      outcome: 'signed_in',
      sessionId,
      browserMarks: markBrowser(user, request.browserMarks ?? null),
    };
  });
}

/**
 * Records that an account's tries are used up, once in a window. The answer does not wait for it,
 * because its time would reveal the account.
 */
function tellOfRefusals(
  pool: pg.Pool,
  user: { id: string; email: string },
  { address, now }: SignInRequest,
): void {
  const actor = { type: 'staff' as const, id: user.id, label: user.email, address };
  const entry = { actor, now, action: 'session.passwords_refused' };
  inTransaction(pool, (db) => recordPersonalAudit(db, user.id, entry)).catch((error: unknown) =>
    log().error({ err: error }, 'refused sign-ins could not be written to the audit log'),
  );
}

/**
 * Locks an account's password until the session is stored: a reset in between would end every
 * session but this one.
 *
 * @returns false when the verified password is no longer the account's
 */
async function holdAccount(
  db: Queryable,
  user: { id: string; password_hash: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM users WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL FOR SHARE',
    [user.id, user.password_hash],
  );
  return rowCount === 1;
}

/** The data of a new session, besides its person. */
export type Entering = Pick<SignInRequest, 'address' | 'userAgent' | 'sessionBefore' | 'now'>;

/**
 * Makes the session of a person who was just authenticated, and writes the audit log, unless a code
 * is still owed: then the second step does.
 *
 * @param by the provider that authenticated them; null for the password
 */
export async function openSession(
  db: Queryable,
  user: { id: string; email: string },
  { address, userAgent, sessionBefore, now }: Entering,
  by: string | null = null,
): Promise<string> {
  const session = await createSession(db, { userId: user.id, address, userAgent, now });
  if (sessionBefore) await endSession(db, sessionBefore);
  if (session.owesCode) return session.id;
  await recordPersonalAudit(db, user.id, {
    actor: { type: 'staff', id: user.id, label: user.email, address },
    now,
    action: 'session.sign_in',
    details: by === null ? undefined : { by },
  });
  return session.id;
}
