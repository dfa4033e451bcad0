import type pg from 'pg';
import { inTransaction } from '../db/pool.ts';
import { recordPersonalAudit } from '../merchants/audit.ts';
import type { Own } from './second-factor/proof.ts';
import { endOtherSessions, endOwnSession, isRunning } from './sessions.ts';

// What has expired or still owes a code opens nothing any more, or yet: nobody's way in ends with it.
const SIGN_OUT = `
  DELETE FROM sessions s USING users u WHERE s.id = $1 AND u.id = s.user_id
  RETURNING u.id, u.email, ${isRunning('$2')}
    AND (u.totp_enabled_at IS NULL OR s.second_factor_at IS NOT NULL) AS was_open`;

/**
 * Ends a session by its person's sign-out, and says so in the audit log: from the next request on it
 * is nobody's. One that has ended already is left at that.
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

/** Ends one of the person's own sessions, and says so in the audit log. @returns false when they have none with that id */
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

/** Ends all of the person's sessions but this one, and says so in the audit log. @returns how many */
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
