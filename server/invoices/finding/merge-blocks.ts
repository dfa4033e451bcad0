import type { Queryable } from '../../db/pool.ts';
import type { Environment } from '../../merchants/types.ts';
import {
  BLOCK_SIZE,
  GRAM_KINDS,
  ID_BYTES,
  MERGED_BLOCKS,
  packPlaces,
  unpackPlaces,
} from './grams.ts';

const MERGED_SIZE = BLOCK_SIZE * MERGED_BLOCKS;
/** The kinds of characters that are merged at once, so that the process does other work between. */
const KINDS_AT_ONCE = 256;

const OLDEST_NEW_BLOCKS = {
  name: 'search_blocks_to_merge',
  text: `SELECT id FROM invoice_search_blocks
         WHERE merchant_id = $1 AND environment = $2::environment
           AND octet_length(ids) = ${BLOCK_SIZE * ID_BYTES}
         ORDER BY last_id LIMIT ${MERGED_BLOCKS}`,
};

// $1 the blocks. The new one has the last id of the newest, which is unique: that must be gone.
const MERGE_IDS = {
  name: 'merge_search_blocks',
  text: `
    WITH gone AS (
      DELETE FROM invoice_search_blocks WHERE id = ANY ($1::bigint[])
      RETURNING merchant_id, environment, first_id, last_id, ids
    )
    INSERT INTO invoice_search_blocks (merchant_id, environment, first_id, last_id, ids)
    SELECT merchant_id, environment, min(first_id), max(last_id), string_agg(ids, '' ORDER BY last_id)
    FROM gone GROUP BY merchant_id, environment
    RETURNING id`,
};

const GRAMS = {
  name: 'search_grams_to_merge',
  text: `SELECT gram, array_position($1::bigint[], block_id) - 1 AS at, places
         FROM unnest($1::bigint[]) AS b (id) JOIN invoice_search_grams ON block_id = b.id
         WHERE gram >= $2::smallint AND gram < $3::int
         ORDER BY gram, at`,
};

const WRITE_GRAMS = {
  name: 'write_search_grams',
  text: `INSERT INTO invoice_search_grams (block_id, gram, places)
         SELECT $1::bigint, g.gram, g.places
         FROM unnest($2::smallint[], $3::bytea[]) AS g (gram, places)`,
};

type GramRow = { gram: number; at: number; places: Buffer };

function merged(rows: readonly GramRow[]): Map<number, number[]> {
  const byGram = new Map<number, number[]>();
  for (const { gram, at, places } of rows) {
    const all = byGram.get(gram) ?? [];
    for (const place of unpackPlaces(places, BLOCK_SIZE)) all.push(at * BLOCK_SIZE + place);
    byGram.set(gram, all);
  }
  return byGram;
}

/**
 * Makes one block of a tenant's oldest sixteen, if it has so many new ones: a search of millions of
 * invoices then reads a sixteenth of the rows. Runs in the caller's transaction.
 */
export async function mergeBlocks(
  db: Queryable,
  tenant: { merchant_id: string; environment: Environment },
): Promise<void> {
  const found = await db.query<{ id: string }>({
    ...OLDEST_NEW_BLOCKS,
    values: [tenant.merchant_id, tenant.environment],
  });
  const oldIds = found.rows.map(({ id }) => id);
  if (oldIds.length < MERGED_BLOCKS) return;
  const { rows: blocks } = await db.query<{ id: string }>({ ...MERGE_IDS, values: [oldIds] });
  const id = blocks[0]?.id;
  for (let from = 0; from < GRAM_KINDS; from += KINDS_AT_ONCE) {
    const values = [oldIds, from, from + KINDS_AT_ONCE];
    const { rows } = await db.query<GramRow>({ ...GRAMS, values });
    const byGram = merged(rows);
    const packed = [...byGram.values()].map((places) => packPlaces(places, MERGED_SIZE));
    await db.query({ ...WRITE_GRAMS, values: [id, [...byGram.keys()], packed] });
  }
  await db.query('DELETE FROM invoice_search_grams WHERE block_id = ANY ($1::bigint[])', [oldIds]);
}
