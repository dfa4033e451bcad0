import type pg from 'pg';
import { indexInvoices } from '../server/invoices/finding/index-invoices.ts';
import { narrow } from '../server/invoices/finding/narrow.ts';
import { listAndCount } from '../server/invoices/lists/list.ts';
import type { Tenant } from '../server/merchants/types.ts';
import { NO_FILTERS } from '../server/testing/invoices.ts';
import type { ReadingData } from './reading-data.ts';
import { say } from './verdicts.ts';

const BLOCKS_AT_ONCE = 10;
const PAGE = 50;

/** Indexes all invoices for searches by words, as the worker does behind the creates. */
export async function indexAll(pool: pg.Pool, now: Date): Promise<void> {
  const startedMs = performance.now();
  while ((await indexInvoices(pool, { now, limit: BLOCKS_AT_ONCE })) > 0);
  const { rows } = await pool.query<{ count: number; size: string }>(
    `SELECT count(*)::int AS count,
       pg_size_pretty(pg_total_relation_size('invoice_search_blocks')
         + pg_total_relation_size('invoice_search_grams')) AS size
     FROM invoice_search_blocks`,
  );
  const tookS = Math.round((performance.now() - startedMs) / 1000);
  say(`Indexed ${rows[0]?.count} blocks in ${tookS} s: ${rows[0]?.size}`);
  await pool.query('VACUUM ANALYZE invoice_search_blocks, invoice_search_grams');
}

type Sample = ReadingData['samples'][number] & { amount: string };

/** What people type to find an invoice; each page looks for another one. */
const SEARCHES: Record<string, (sample: Sample) => string> = {
  'find, a common word': () => 'order',
  'find, two words': () => 'order coffee',
  'find, a word that is nowhere': () => 'xylophone',
  'find, letters that are everywhere, in a word that is nowhere': () => 'ordered0',
  'find, an order number': ({ transactionId }) => transactionId,
  'find, the beginning of one': ({ transactionId }) => transactionId.slice(0, -2),
  'find, the end of one': ({ transactionId }) => transactionId.slice(-9),
  'find, five digits': ({ transactionId }) => transactionId.replaceAll(/\D/g, '').slice(-6, -1),
  'find, an id': ({ id }) => id,
  'find, the beginning of an id': ({ id }) => id.slice(0, 20),
  'find, the end of an id': ({ id }) => id.slice(-8),
  'find, four characters of an id': ({ id }) => `${id.slice(-6, -3)}7`,
  'find, a payment link': ({ id }) => `https://pay.shop.example/pay/${id}`,
  'find, an amount': ({ amount }) => amount,
  'find, an amount and a word': ({ amount }) => `${amount} order`,
  'find, an amount of an hour': ({ amount }) => `${amount} yesterday 12:00–13:00`,
  'find, about an amount of an hour': ({ amount }) => `~${amount} yesterday 12:00–13:00`,
  'find, about an amount of a day': ({ amount }) => `about ${amount} yesterday`,
  'find, a buyer': () => 'nobody@shop.example',
};

/** Each search as the list and the palette make it: a page and its count. */
export async function findAsks(
  pool: pg.Pool,
  tenant: Tenant,
  { samples, now }: { samples: ReadingData['samples']; now: Date },
): Promise<{ name: string; ask: (page: number) => Promise<unknown> }[]> {
  const { rows } = await pool.query<{ id: string; amount: string }>(
    'SELECT id, (amount_minor / 100)::text AS amount FROM invoices WHERE id = ANY ($1)',
    [samples.map(({ id }) => id)],
  );
  const amounts = new Map(rows.map(({ id, amount }) => [id, amount]));
  return Object.entries(SEARCHES).map(([name, searchOf]) => ({
    name,
    ask: (page) => {
      const sample = samples[page % samples.length] ?? {
        id: '',
        transactionId: '',
        paidAtMs: null,
      };
      const search = searchOf({ ...sample, amount: amounts.get(sample.id) ?? '' });
      const filters = narrow({ ...NO_FILTERS, search }, { now, timeZone: 'Asia/Tashkent' });
      return listAndCount(pool, tenant, { filters, cursor: null, limit: PAGE, findsBuyers: true });
    },
  }));
}
