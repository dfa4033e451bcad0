import type { Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Role } from '../merchants/types.ts';
import { normaliseEmail } from './email-address.ts';
import { hashPassword } from './password-hash.ts';

/**
 * Finds the person with that address and locks their account until the transaction ends, or makes
 * one.
 *
 * @param user.password for a new account; without one, its person sets it by a link
 * @throws GatewayError `conflict` when the account is disabled, `validation` for an invalid address
 */
export async function findOrCreateUser(
  db: Queryable,
  { email, password, now }: { email: string; password?: string; now: Date },
): Promise<{ id: string; email: string }> {
  const address = normaliseEmail(email);
  const find = async () => {
    const { rows } = await db.query<{ id: string; disabled: boolean }>(
      `SELECT id, disabled_at IS NOT NULL AS disabled FROM users WHERE email = $1
       FOR NO KEY UPDATE`,
      [address],
    );
    if (rows[0]?.disabled) {
      throw new GatewayError('account_disabled', { email: address });
    }
    return rows[0] ? { id: rows[0].id, email: address } : null;
  };
  const found = await find();
  if (found) return found;
  const id = newId('usr', now.getTime());
  const passwordHash = password === undefined ? null : await hashPassword(password);
  const { rowCount } = await db.query(
    `INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING`,
    [id, address, passwordHash, now.toISOString()],
  );
  if (rowCount === 1) return { id, email: address };
  // Somebody else made the same account at the same moment.
  const other = await find();
  if (!other) throw new Error('an account vanished while it was being made');
  return other;
}

/** Gives a person a role at a merchant, replacing any previous one. */
export async function setMember(
  db: Queryable,
  member: { merchantId: string; userId: string; role: Role; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO memberships (user_id, merchant_id, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id, merchant_id) DO UPDATE SET role = excluded.role`,
    [member.userId, member.merchantId, member.role, member.now.toISOString()],
  );
}
