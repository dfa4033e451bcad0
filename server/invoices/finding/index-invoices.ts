import type pg from 'pg';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { idBefore } from '../../lib/ids.ts';
import type { Environment } from '../../merchants/types.ts';
import { BLOCK_SIZE, gramsOf, ID_BYTES, packPlaces, searchedText } from './grams.ts';
import { mergeBlocks } from './merge-blocks.ts';

/** Ids tell the time when a create began: this long after it none is on its way any more. */
const SETTLED_AFTER_MS = 60_000;
const COUNTED_AT_ONCE = 20_000;

// The number differs from every other advisory lock of the gateway.
const SEARCH_LOCK = 4_710_007;
const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(${SEARCH_LOCK}) AS free, now() AS db_now`;

// $1 the id before which all are settled. An invoice that comes before the counted ones only delays
// its tenant's next block.
const COUNT = {
  name: 'count_for_search',
  text: `
    WITH seen AS (
      SELECT merchant_id, environment, id FROM invoices
      WHERE id > coalesce((SELECT counted_to_id FROM invoice_search_progress), '')
        AND id < $1::text
      ORDER BY id LIMIT ${COUNTED_AT_ONCE}
    ), counted AS (
      INSERT INTO invoice_search_tails AS t (merchant_id, environment, count)
      SELECT merchant_id, environment, count(*) FROM seen GROUP BY merchant_id, environment
      ON CONFLICT (merchant_id, environment) DO UPDATE SET count = t.count + excluded.count
    ), progress AS (
      INSERT INTO invoice_search_progress (counted_to_id) SELECT max(id) FROM seen HAVING count(*) > 0
      ON CONFLICT (id) DO UPDATE SET counted_to_id = excluded.counted_to_id
    )
    SELECT count(*)::int AS count FROM seen`,
};

const FULL_TAILS = {
  name: 'full_search_tails',
  text: `SELECT merchant_id, environment, indexed_to_id FROM invoice_search_tails
         WHERE count >= ${BLOCK_SIZE} ORDER BY count DESC LIMIT $1::int`,
};

const NEXT_INVOICES = {
  name: 'next_for_search',
  text: `SELECT id, description, merchant_transaction_id AS "merchantTransactionId" FROM invoices
         WHERE merchant_id = $1::text AND environment = $2::environment
           AND id > $3::text AND id < $4::text
         ORDER BY id LIMIT ${BLOCK_SIZE}`,
};

const WRITE_BLOCK = {
  name: 'write_search_block',
  text: `
    WITH block AS (
      INSERT INTO invoice_search_blocks (merchant_id, environment, first_id, last_id, ids)
      VALUES ($1, $2::environment, $3, $4, $5) RETURNING id
    ), tail AS (
      UPDATE invoice_search_tails SET indexed_to_id = $4, count = greatest(0, count - ${BLOCK_SIZE})
      WHERE merchant_id = $1 AND environment = $2::environment
    )
    INSERT INTO invoice_search_grams (block_id, gram, places)
    SELECT block.id, g.gram, g.places
    FROM block, unnest($6::smallint[], $7::bytea[]) AS g (gram, places)`,
};

type Tail = { merchant_id: string; environment: Environment; indexed_to_id: string };
type Searched = { id: string; description: string; merchantTransactionId: string };

/** The places of each kind of three characters in a block. */
function placesByGram(invoices: Searched[]): Map<number, number[]> {
  const byGram = new Map<number, number[]>();
  for (const [place, invoice] of invoices.entries()) {
    const { texts, id } = searchedText(invoice);
    for (const gram of gramsOf(`${texts}\n${id}`)) {
      const places = byGram.get(gram);
      if (places) places.push(place);
      else byGram.set(gram, [place]);
    }
  }
  return byGram;
}

async function writeNextBlock(db: Queryable, tail: Tail, settledId: string): Promise<void> {
  const { merchant_id: merchantId, environment, indexed_to_id: indexedToId } = tail;
  const { rows } = await db.query<Searched>({
    ...NEXT_INVOICES,
    values: [merchantId, environment, indexedToId, settledId],
  });
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || rows.length < BLOCK_SIZE) {
    await db.query(
      `UPDATE invoice_search_tails SET count = $3
       WHERE merchant_id = $1 AND environment = $2::environment`,
      [merchantId, environment, rows.length],
    );
    return;
  }
  const byGram = [...placesByGram(rows)].sort(([one], [other]) => one - other);
  const ids = Buffer.from(rows.map(({ id }) => id.padEnd(ID_BYTES)).join(''), 'latin1');
  await db.query({
    ...WRITE_BLOCK,
    values: [
      merchantId,
      environment,
      first.id,
      last.id,
      ids,
      byGram.map(([gram]) => gram),
      byGram.map(([, places]) => packPlaces(places, BLOCK_SIZE)),
    ],
  });
}

/**
 * Indexes invoices for a search by words, up to `limit` blocks of them, of the tenants with a whole
 * block of them. A create thus writes nothing for the search; what is in no block yet is searched
 * row by row. It is whole or nothing, and one process at a time.
 *
 * @returns the number of blocks, or `limit` if more invoices wait to be counted
 */
export async function indexInvoices(
  pool: pg.Pool,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ free: boolean; db_now: Date }>(TRY_LOCK);
    if (!rows[0]?.free) return 0;
    const nowMs = Math.min(now.getTime(), rows[0].db_now.getTime());
    const settledId = idBefore('inv', nowMs - SETTLED_AFTER_MS);
    const counted = await db.query<{ count: number }>({ ...COUNT, values: [settledId] });
    const full = await db.query<Tail>({ ...FULL_TAILS, values: [limit] });
    for (const tail of full.rows) {
      await writeNextBlock(db, tail, settledId);
      await mergeBlocks(db, tail);
    }
    return counted.rows[0]?.count === COUNTED_AT_ONCE ? limit : full.rows.length;
  });
}

/** Makes a merchant's index anew from the next run on: for invoices that come later than their ids. */
export async function forgetIndex(
  db: Queryable,
  { merchantId, environment }: { merchantId: string; environment: Environment },
): Promise<void> {
  await db.query(
    `WITH gone AS (
       DELETE FROM invoice_search_blocks WHERE merchant_id = $1 AND environment = $2::environment
       RETURNING id
     ), grams AS (
       DELETE FROM invoice_search_grams WHERE block_id IN (SELECT id FROM gone)
     )
     INSERT INTO invoice_search_tails (merchant_id, environment, count)
     SELECT $1, $2::environment, count(*) FROM invoices
     WHERE merchant_id = $1 AND environment = $2::environment
     ON CONFLICT (merchant_id, environment)
     DO UPDATE SET indexed_to_id = '', count = excluded.count`,
    [merchantId, environment],
  );
}
