import { generatePassword, hashPassword } from '../auth/passwords.ts';
import type { Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { normaliseEmail } from './email-address.ts';
import type { Role } from './types.ts';

/**
 * Finds the person with that address, or makes an account with a made-up password.
 *
 * @returns `password` only for a new account: shown once, stored as a hash
 * @throws GatewayError `conflict` when the account is disabled, `validation` for what is no address
 */
export async function findOrCreateUser(
  db: Queryable,
  { email, now }: { email: string; now: Date },
): Promise<{ id: string; email: string; password: string | null }> {
  const address = normaliseEmail(email);
  const find = async () => {
    const { rows } = await db.query<{ id: string; disabled: boolean }>(
      'SELECT id, disabled_at IS NOT NULL AS disabled FROM users WHERE email = $1',
      [address],
    );
    if (rows[0]?.disabled) {
      throw new GatewayError('conflict', `The account of ${address} is disabled.`);
    }
    return rows[0] ? { id: rows[0].id, email: address, password: null } : null;
  };
  const found = await find();
  if (found) return found;
  const id = newId('usr', now.getTime());
  const password = generatePassword();
  const { rowCount } = await db.query(
    `INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING`,
    [id, address, await hashPassword(password), now.toISOString()],
  );
  if (rowCount === 1) return { id, email: address, password };
  // Somebody made the same account at the same moment.
  const other = await find();
  if (!other) throw new Error('an account vanished while it was being made');
  return other;
}

/** Gives a person a role at a merchant, in place of the one they had there. */
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
