import type pg from 'pg';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { recordPersonalAudit } from '../../merchants/audit.ts';
import { metrics } from '../../observability/metrics.ts';
import { tellRefusal } from '../../observability/refusals.ts';
import { SESSION_LIFETIME_MS } from '../sessions.ts';
import { countCode, forgetProofs, kindOfCode, takeCode } from './take-code.ts';

/** A person who passed the password or the provider, and still owes a code. */
export type PendingSession = {
  id: string;
  userId: string;
  email: string;
};

/** The session that waits for a code, or null: `findSession` does not find it yet. */
export async function findPendingSession(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<PendingSession | null> {
  const { rows } = await db.query<{ user_id: string; email: string }>(
    `SELECT s.user_id, u.email FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.id = $1 AND s.expires_at > $2::timestamptz AND u.disabled_at IS NULL
       AND u.totp_enabled_at IS NOT NULL AND s.second_factor_at IS NULL`,
    [sessionId, now.toISOString()],
  );
  const row = rows[0];
  return row ? { id: sessionId, userId: row.user_id, email: row.email } : null;
}

type Given = { code: string; address: string | null; requestId?: string; now: Date };
type Step = 'passed' | 'refused' | 'throttled' | 'spent';

/**
 * The second step of a sign-in: a code of the app's or a recovery code. The session then lasts its
 * full time. Wrong codes up to the limit are in the audit log, because their sender has the
 * password.
 */
export async function passSecondStep(
  pool: pg.Pool,
  session: PendingSession,
  given: Given,
): Promise<Step> {
  const result = await takeStep(pool, session, given);
  const outcome = result === 'spent' ? 'throttled' : result;
  metrics().signIns.inc({ step: 'code', outcome });
  if (outcome !== 'passed') {
    const what = kindOfCode(given.code) === 'app' ? 'code' : 'recovery_code';
    const { address, requestId } = given;
    tellRefusal({ what, outcome, account: session.email, address, requestId });
  }
  return result;
}

async function takeStep(
  pool: pg.Pool,
  session: PendingSession,
  { code, address, now }: Given,
): Promise<Step> {
  const { userId, email } = session;
  const tries = await countCode(pool, { userId, code, now });
  if (tries === 'throttled' || tries === 'spent') return tries;
  const actor = { type: 'staff' as const, id: userId, label: email, address };
  return await inTransaction(pool, async (db) => {
    const kind = await takeCode(db, { userId, code, now });
    if (kind === null) {
      const entry = { actor, now, action: 'session.codes_refused' };
      if (tries === 'last') await recordPersonalAudit(db, userId, entry);
      return 'refused';
    }
    const { rowCount } = await db.query(
      `UPDATE sessions SET second_factor_at = $2::timestamptz, last_seen_at = $2::timestamptz,
                           expires_at = $3::timestamptz
       WHERE id = $1 AND second_factor_at IS NULL AND expires_at > $2::timestamptz`,
      [session.id, now.toISOString(), new Date(now.getTime() + SESSION_LIFETIME_MS).toISOString()],
    );
    // The code is used up all the same: somebody may have seen it.
    if (rowCount !== 1) return 'refused';
    await forgetProofs(db, userId);
    await recordPersonalAudit(db, userId, {
      actor,
      now,
      action: 'session.sign_in',
      details: { secondFactor: kind },
    });
    return 'passed';
  });
}
