import type pg from 'pg';
import { inTransaction } from '../db/pool.ts';
import { recordPersonalAudit } from '../merchants/audit.ts';
import type { Own } from './proof.ts';
import { endOtherSessions, endOwnSession } from './sessions.ts';

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
