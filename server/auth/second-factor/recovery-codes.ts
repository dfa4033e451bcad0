import type { Queryable } from '../../db/pool.ts';
import { hashToken } from '../../lib/opaque-token.ts';
import { readableText } from '../../lib/random-text.ts';

const COUNT = 10;
// 80 random bits: the hash needs neither salt nor slowness.
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

/**
 * Makes ten recovery codes, which replace any previous ones.
 *
 * @returns `abcd-efgh-jkmn-pqrs`, shown once
 */
export async function replaceRecoveryCodes(db: Queryable, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => readableText(LENGTH));
  await db.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
  await db.query('INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])', [
    userId,
    codes.map(hashToken),
  ]);
  return codes.map((code) => code.replace(GROUP, '$&-'));
}

/**
 * Uses up a recovery code.
 *
 * @param code folded (`foldCode`)
 * @returns false when it is not one of theirs, or was used before
 */
export async function takeRecoveryCode(
  db: Queryable,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  if (code.length !== LENGTH) return false;
  const { rowCount } = await db.query(
    `UPDATE recovery_codes SET used_at = $3::timestamptz
     WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL`,
    [userId, hashToken(code), now.toISOString()],
  );
  return rowCount === 1;
}

/** How many of a person's codes are left. */
export async function countRecoveryCodes(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
    [userId],
  );
  return rows[0]?.count ?? 0;
}
