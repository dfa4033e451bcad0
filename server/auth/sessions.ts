import type { Queryable } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import type { Role } from '../merchants/types.ts';
import { settings } from '../settings/settings.ts';

/** The longest time after its sign-in that a session lasts. */
export const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/** A session ends earlier when it is unused for this long; an operator's reaches every merchant. */
const STAFF_IDLE = "interval '12 hours'";
const OPERATOR_IDLE = "interval '30 minutes'";
/** A session that waits for a second factor's code ends sooner. */
const PENDING_LIFETIME_MS = 15 * 60 * 1000;

/** SQL: whether session `s` of user `u` was used recently, to the minute. */
const isUsed = (now: string): string =>
  `s.last_seen_at > ${now}::timestamptz
     - CASE WHEN u.is_operator THEN ${OPERATOR_IDLE} ELSE ${STAFF_IDLE} END`;

/** SQL: whether session `s` of user `u` is still within its time. */
export const isRunning = (now: string): string =>
  `(s.expires_at > ${now}::timestamptz AND ${isUsed(now)})`;

/** The signed-in person, and the merchant that their dashboard shows. */
export type StaffSession = {
  id: string;
  user: { id: string; email: string };
  hasSecondFactor: boolean;
  /** On the gateway's own staff. */
  isOperator: boolean;
  /** The gateway requires a second factor of operators; this one has none and acts for nobody. */
  mustSetUpAsOperator: boolean;
  /** The end of an operator's time at `merchant`, whose staff they are not. Milliseconds. */
  impersonatingUntilMs: number | null;
  /** Null for a person who belongs to no merchant. */
  merchant: {
    id: string;
    name: string;
    status: 'active' | 'suspended';
    timeZone: string;
    role: Role;
    /** An operator acts for it until `impersonatingUntilMs`. */
    isActing: boolean;
  } | null;
  /** The merchant requires a second factor and the person has none: nothing of it opens. */
  mustSetUpSecondFactor: boolean;
};

/**
 * Makes a session. It starts with a merchant that the person has just joined and not viewed yet,
 * otherwise with the last one they viewed.
 *
 * @returns `owesCode`: the person has a second factor, so the session opens nothing yet
 */
export async function createSession(
  db: Queryable,
  session: { userId: string; address: string | null; userAgent: string | null; now: Date },
): Promise<{ id: string; owesCode: boolean }> {
  const id = newId('ses', session.now.getTime());
  const { rows } = await db.query<{ owes_code: boolean }>(
    `INSERT INTO sessions
       (id, user_id, merchant_id, address, user_agent, created_at, last_seen_at, expires_at)
     SELECT $1, u.id, (SELECT merchant_id FROM memberships WHERE user_id = u.id
                       ORDER BY last_seen_at DESC NULLS FIRST, created_at DESC, merchant_id DESC
                       LIMIT 1), $3, $4, $5, $5,
            CASE WHEN u.totp_enabled_at IS NULL THEN $6::timestamptz ELSE $7::timestamptz END
     FROM users u WHERE u.id = $2
     RETURNING expires_at < $6::timestamptz AS owes_code`,
    [
      id,
      session.userId,
      session.address,
      session.userAgent?.slice(0, 400) ?? null,
      session.now.toISOString(),
      new Date(session.now.getTime() + SESSION_LIFETIME_MS).toISOString(),
      new Date(session.now.getTime() + PENDING_LIFETIME_MS).toISOString(),
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('an account vanished during its sign-in');
  return { id, owesCode: row.owes_code };
}

type SessionRow = {
  user_id: string;
  email: string;
  has_factor: boolean;
  is_operator: boolean;
  acting_until: Date | null;
  merchant_id: string | null;
  merchant_name: string;
  merchant_status: 'active' | 'suspended';
  time_zone: string;
  role: Role;
  must_set_up: boolean;
};

// The membership is read each time: a person who was taken off the staff sees nothing from then on,
// whatever their session says, and another of their merchants takes its place. The merchant that an
// operator acts for comes first; they have support's permissions there.
const FIND = `
  WITH found AS (
    SELECT s.last_seen_at, u.id AS user_id, u.email, u.is_operator,
           u.totp_enabled_at IS NOT NULL AS has_factor, m.acting_until, m.merchant_id, m.role,
           m.name AS merchant_name, m.status AS merchant_status, m.time_zone,
           coalesce(m.require_totp AND u.totp_enabled_at IS NULL, false) AS must_set_up,
           m.last_seen_at AS member_seen_at
    FROM sessions s JOIN users u ON u.id = s.user_id
    LEFT JOIN LATERAL (
      SELECT b.merchant_id, b.role, b.last_seen_at, b.acting_until, c.name, c.status, c.time_zone,
             c.require_totp
      FROM (
        SELECT s.acting_merchant_id AS merchant_id, 'support'::role AS role, s.last_seen_at,
               s.acting_until, s.created_at
        WHERE u.is_operator AND s.acting_until > $2::timestamptz
          AND (u.totp_enabled_at IS NOT NULL OR NOT $3::boolean)
        UNION ALL
        SELECT merchant_id, role, last_seen_at, NULL, created_at
        FROM memberships WHERE user_id = u.id) b
      JOIN merchants c ON c.id = b.merchant_id
      ORDER BY b.acting_until NULLS LAST, (b.merchant_id = s.merchant_id) DESC NULLS LAST,
               b.created_at, b.merchant_id
      LIMIT 1) m ON true
    WHERE s.id = $1 AND ${isRunning('$2')} AND u.disabled_at IS NULL
      AND (u.totp_enabled_at IS NULL OR s.second_factor_at IS NOT NULL)
  ), seen AS (
    UPDATE sessions SET last_seen_at = $2::timestamptz FROM found
    WHERE sessions.id = $1 AND found.last_seen_at < $2::timestamptz - interval '1 minute'
  ), here AS (
    UPDATE memberships b SET last_seen_at = $2::timestamptz FROM found
    WHERE b.user_id = found.user_id AND b.merchant_id = found.merchant_id
      AND coalesce(found.member_seen_at, '-infinity') < $2::timestamptz - interval '1 minute')
  SELECT * FROM found`;

/**
 * The session with an id, or null when it was ended, has expired, was unused for too long, its
 * account is disabled, or it still owes a second factor's code (see `findPendingSession`).
 */
export async function findSession(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<StaffSession | null> {
  const { operatorsNeedSecondFactor } = settings();
  const { rows } = await db.query<SessionRow>({
    name: 'session_find',
    text: FIND,
    values: [sessionId, now.toISOString(), operatorsNeedSecondFactor],
  });
  const [row] = rows;
  if (!row) return null;
  return {
    id: sessionId,
    user: { id: row.user_id, email: row.email },
    hasSecondFactor: row.has_factor,
    isOperator: row.is_operator,
    mustSetUpAsOperator: operatorsNeedSecondFactor && row.is_operator && !row.has_factor,
    impersonatingUntilMs: row.acting_until?.getTime() ?? null,
    merchant:
      row.merchant_id === null
        ? null
        : {
            id: row.merchant_id,
            name: row.merchant_name,
            status: row.merchant_status,
            timeZone: row.time_zone,
            role: row.role,
            isActing: row.acting_until !== null,
          },
    mustSetUpSecondFactor: row.must_set_up,
  };
}

/** Whether a session has ended only because nobody used it. */
export async function hasEndedUnused(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.id = $1 AND s.expires_at > $2::timestamptz AND NOT ${isUsed('$2')}`,
    [sessionId, now.toISOString()],
  );
  return rowCount === 1;
}

/** A session in its owner's list. Times in milliseconds. */
export type SessionSummary = {
  id: string;
  isCurrent: boolean;
  address: string | null;
  userAgent: string | null;
  createdAtMs: number;
  lastSeenAtMs: number;
};

/**
 * The valid sessions of this session's person, the last seen first, without those that wait for a
 * code, which open nothing.
 */
export async function listSessions(
  db: Queryable,
  session: StaffSession,
  now: Date,
): Promise<SessionSummary[]> {
  const { rows } = await db.query<{
    id: string;
    address: string | null;
    user_agent: string | null;
    created_at: Date;
    last_seen_at: Date;
  }>(
    `SELECT s.id, s.address, s.user_agent, s.created_at, s.last_seen_at
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.user_id = $1 AND ${isRunning('$2')}
       AND (u.totp_enabled_at IS NULL OR s.second_factor_at IS NOT NULL)
     ORDER BY s.last_seen_at DESC, s.id`,
    [session.user.id, now.toISOString()],
  );
  return rows.map((row) => ({
    id: row.id,
    isCurrent: row.id === session.id,
    address: row.address,
    userAgent: row.user_agent,
    createdAtMs: row.created_at.getTime(),
    lastSeenAtMs: row.last_seen_at.getTime(),
  }));
}

/** Ends a session, e.g. the browser's previous one; it is invalid from the next request on. */
export async function endSession(db: Queryable, sessionId: string): Promise<void> {
  await db.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
}

/** Ends one of the person's own sessions. @returns false when they have none with that id */
export async function endOwnSession(
  db: Queryable,
  session: StaffSession,
  sessionId: string,
): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM sessions WHERE id = $1 AND user_id = $2', [
    sessionId,
    session.user.id,
  ]);
  return rowCount === 1;
}

/** Ends all of the person's sessions but this one. @returns how many */
export async function endOtherSessions(db: Queryable, session: StaffSession): Promise<number> {
  const { rowCount } = await db.query('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [
    session.user.id,
    session.id,
  ]);
  return rowCount ?? 0;
}

/** The person's merchants, by name. */
export async function listOwnMerchants(
  db: Queryable,
  session: StaffSession,
): Promise<{ id: string; name: string; role: Role }[]> {
  const { rows } = await db.query<{ id: string; name: string; role: Role }>(
    `SELECT m.id, m.name, b.role FROM memberships b JOIN merchants m ON m.id = b.merchant_id
     WHERE b.user_id = $1 ORDER BY m.name, m.id`,
    [session.user.id],
  );
  return rows;
}

/** Switches to another own merchant, ending an impersonation. @returns false if not theirs */
export async function switchMerchant(
  db: Queryable,
  session: StaffSession,
  merchantId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE sessions s
     SET merchant_id = b.merchant_id, acting_merchant_id = NULL, acting_until = NULL
     FROM memberships b
     WHERE s.id = $1 AND b.user_id = s.user_id AND b.user_id = $2 AND b.merchant_id = $3`,
    [session.id, session.user.id, merchantId],
  );
  return rowCount === 1;
}
