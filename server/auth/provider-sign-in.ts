import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { metrics } from '../observability/metrics.ts';
import { acceptInvitations } from '../staff/invitations.ts';
import { endFirstLinks } from './password-reset.ts';
import { lockAccount } from './second-factor/proof.ts';
import { type Entering, openSession } from './sign-in.ts';

async function findUser(db: Queryable, email: string) {
  const { rows } = await db.query<{ id: string; email: string; disabled: boolean }>(
    'SELECT id, email, disabled_at IS NOT NULL AS disabled FROM users WHERE email = $1',
    [email],
  );
  return rows[0] ?? null;
}

/**
 * Whether the owner of a provider-verified address may sign in: with an enabled account or an open
 * invitation.
 */
export async function isWelcome(db: Queryable, email: string, now: Date): Promise<boolean> {
  const user = await findUser(db, email);
  if (user) return !user.disabled;
  const { rowCount } = await db.query(
    `SELECT FROM invitations WHERE email = $1 AND accepted_at IS NULL
       AND withdrawn_at IS NULL AND expires_at > $2::timestamptz LIMIT 1`,
    [email, now.toISOString()],
  );
  return (rowCount ?? 0) > 0;
}

/**
 * Signs in the owner of a provider-verified address; an invited person joins this way. A second
 * factor is still required.
 *
 * @returns the session's id
 * @throws Error when they may not (or no longer) sign in
 */
export async function signInByProvider(
  pool: pg.Pool,
  request: Entering & { email: string; provider: string },
): Promise<string> {
  const { email, address, now } = request;
  const sessionId = await inTransaction(pool, async (db) => {
    const known = await findUser(db, email);
    if (known) {
      if (!(await lockAccount(db, known.id))) throw new Error('the account is disabled');
      await endFirstLinks(db, known.id, now);
      return await openSession(db, known, request, request.provider);
    }
    const joined = await acceptInvitations(db, { email }, { passwordHash: null, address, now });
    if (!joined) throw new Error('nobody knows this address');
    const user = { id: joined.userId, email: joined.email };
    return await openSession(db, user, request, request.provider);
  });
  metrics().signIns.inc({ step: 'provider', outcome: 'passed' });
  return sessionId;
}
