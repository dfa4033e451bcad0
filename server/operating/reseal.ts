import type { Queryable } from '../db/pool.ts';
import { opens, seal, unseal } from '../lib/encrypt.ts';
import { SEALED_COLUMNS, type SealedColumn, type SealedRow } from './sealed-columns.ts';

const BATCH = 500;

export type Resealed = {
  /** Sealed with the new key now. */
  resealed: number;
  /** Sealed with it before. */
  unchanged: number;
  /** Opened by none of the keys; left as they are. */
  lost: { table: string; id: string }[];
};

async function resealRow(
  db: Queryable,
  { table, column, contextOf }: SealedColumn,
  row: SealedRow,
  keys: readonly [Buffer, ...Buffer[]],
): Promise<keyof Resealed> {
  const context = contextOf(row);
  if (opens(keys[0], row.sealed, context)) return 'unchanged';
  let text: string;
  try {
    text = unseal(keys, row.sealed, context);
  } catch {
    return 'lost';
  }
  // Only if nobody has replaced the value meanwhile: the new one uses the new key.
  const { rowCount } = await db.query(
    `UPDATE ${table} SET ${column} = $2 WHERE id = $1 AND ${column} = $3`,
    [row.id, seal(keys[0], text, context), row.sealed],
  );
  return rowCount === 1 ? 'resealed' : 'unchanged';
}

/**
 * Seals anew, with the first key, everything sealed with another of `keys`. May be stopped and run
 * again at any time, beside processes that have the same keys.
 */
export async function resealSecrets(
  db: Queryable,
  keys: readonly [Buffer, ...Buffer[]],
): Promise<Resealed> {
  const result: Resealed = { resealed: 0, unchanged: 0, lost: [] };
  for (const sealedColumn of SEALED_COLUMNS) {
    const { table, column, context } = sealedColumn;
    let after = '';
    for (;;) {
      const { rows } = await db.query<SealedRow>(
        `SELECT id, ${column} AS sealed, ${context} FROM ${table}
         WHERE ${column} IS NOT NULL AND id > $1 ORDER BY id LIMIT ${BATCH}`,
        [after],
      );
      for (const row of rows) {
        const outcome = await resealRow(db, sealedColumn, row, keys);
        if (outcome === 'lost') result.lost.push({ table, id: row.id });
        else result[outcome] += 1;
      }
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      after = last.id;
    }
  }
  return result;
}
