import type { Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { foldPassword } from '../lib/typed-text.ts';
import { PASSWORD_LENGTH } from '../merchants/types.ts';
import { hashPassword, verifyPassword } from '../staff/password-hash.ts';
import { isCommonPassword } from './common-passwords.ts';
import type { MarkedAccount } from './known-browser.ts';

/** @throws GatewayError `validation` for a password that is too short, too long, or guessable */
export function checkNewPassword(typed: string, email: string): void {
  const password = foldPassword(typed);
  if ([...password].length < PASSWORD_LENGTH.least || password.length > PASSWORD_LENGTH.most) {
    throw new GatewayError('password_length', PASSWORD_LENGTH);
  }
  if (isCommonPassword(password, email)) throw new GatewayError('password_guessable');
}

/**
 * Checks a password against an account; a hash made before passwords were folded is replaced.
 *
 * @param account null for an unknown address, which costs the same time
 * @returns the changed account; null when the password is wrong, or was changed meanwhile
 */
export async function proveByPassword<Account extends MarkedAccount>(
  db: Queryable,
  account: Account | null,
  password: string,
): Promise<Account | null> {
  const found = await verifyPassword(account?.password_hash ?? null, password);
  if (!account || found === 'wrong') return null;
  if (found === 'right') return account;
  const renewed = { ...account, password_hash: await hashPassword(password) };
  const { rowCount } = await db.query(
    'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
    [account.id, account.password_hash, renewed.password_hash],
  );
  return rowCount === 1 ? renewed : null;
}
