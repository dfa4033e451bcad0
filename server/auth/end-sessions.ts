import type pg from 'pg';
import { inTransaction } from '../db/pool.ts';
import { recordPersonalAudit } from '../merchants/audit.ts';
import type { Own } from './second-factor/proof.ts';
import { endOtherSessions, endOwnSession, isRunning } from './sessions.ts';

// An expired session, or one that still owes a code, opens nothing: ending it ends nobody's access.
const SIGN_OUT = `
  DELETE FROM sessions s USING users u WHERE s.id = $1 AND u.id = s.user_id
  RETURNING u.id, u.email, ${isRunning('$2')}
    AND (u.totp_enabled_at IS NULL OR s.second_factor_at IS NOT NULL) AS was_open`;

/**
 * Ends a session by its person's sign-out, and records it in the audit log: from the next request
 * on it is invalid. A session that has already ended is left alone.
 */
export async function signOut(
  pool: pg.Pool,
  { sessionId, address, now }: { sessionId: string; address: string | null; now: Date },
): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ id: string; email: string; was_open: boolean }>(SIGN_OUT, [
      sessionId,
      now.toISOString(),
    ]);
    const [ended] = rows;
    if (!ended?.was_open) return;
    const actor = { type: 'staff', id: ended.id, label: ended.email, address } as const;
    await recordPersonalAudit(db, ended.id, { actor, now, action: 'session.sign_out' });
  });
}

/** Ends one of one's own sessions, with an audit entry. @returns false when there is none */
export async function endOneSession(
  pool: pg.Pool,
  { session, actor, now }: Own,
  sessionId: string,
): Promise<boolean> {
  return await inTransaction(pool, async (db) => {
    if (!(await endOwnSession(db, session, sessionId))) return false;
    await recordPersonalAudit(db, session.user.id, { actor, now, action: 'session.end' });
    return true;
  });
}

/** Ends all other sessions of the person, with an audit entry. @returns how many */
export async function endAllOtherSessions(
  pool: pg.Pool,
  { session, actor, now }: Own,
): Promise<number> {
  return await inTransaction(pool, async (db) => {
    const count = await endOtherSessions(db, session);
    if (count > 0) {
      const entry = { actor, now, action: 'session.end_others', details: { count } };
      await recordPersonalAudit(db, session.user.id, entry);
    }
    return count;
  });
}
