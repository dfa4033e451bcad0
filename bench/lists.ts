// The dashboard's overview, lists and searches over 1,000,000 made-up invoices of one merchant and
// as many requests in the log: the server's time for a page, its statements included. Nothing may
// scan.
//
//   npm run bench -- lists [--quick] [--rows 5000000]
import type pg from 'pg';
import {
  edgesBefore,
  edgesOf,
  RANGES,
  readDayRange,
} from '../app/dashboard/[environment]/_overview/day-range.ts';
import { listCallbacks } from '../server/callbacks/data.ts';
import { failingHosts } from '../server/callbacks/tools/failing-hosts.ts';
import { openPool } from '../server/db/pool.ts';
import { listAndCount } from '../server/invoices/lists/list.ts';
import type { InvoiceFilters } from '../server/invoices/lists/list-types.ts';
import { listApiRequests, type RequestFilters } from '../server/merchants/api-request-list.ts';
import { listAudit } from '../server/merchants/audit-list.ts';
import type { Tenant } from '../server/merchants/types.ts';
import { sumByCreation } from '../server/overview/by-creation.ts';
import { readCauses } from '../server/overview/causes.ts';
import { latestPayments } from '../server/overview/latest.ts';
import { sumRegisters } from '../server/register/data.ts';
import { sumByPayment } from '../server/register/days.ts';
import { createMerchantFixture } from '../server/testing/factories.ts';
import { NO_FILTERS } from '../server/testing/invoices.ts';
import { openDatabase } from './database.ts';
import { type Sample, writeListData } from './list-data.ts';
import { aligned, keep, say, settle, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const asked = Number(process.argv[process.argv.indexOf('--rows') + 1]);
const PRESET = quick ? 5_000 : 1_000_000;
const ROWS = asked > 0 ? asked : PRESET;
const WARM_UP = 3;
const PAGES = quick ? 10 : 60;
const PAGE = 50;
const BAR_MS = 100;
// Invoices are summed up by whole UTC hours and by quarters of them: where days begin within an
// hour, quarters are read too.
const TIME_ZONES = ['UTC', 'Asia/Kolkata'];

const DAY_MS = 86_400_000;

/** Typical searches; each page of one begins somewhere else. */
const SEARCHES: Record<string, (sample: Sample, nowMs: number) => Partial<InvoiceFilters>> = {
  'invoices, no filter': () => ({}),
  'invoices, pending': () => ({ statuses: ['PENDING'] }),
  'invoices, paid in a currency': () => ({ statuses: ['PAID'], currency: 'UZS' }),
  'invoices, of a week': (_, nowMs) => ({
    fromMs: nowMs - 21 * DAY_MS,
    untilMs: nowMs - 14 * DAY_MS,
  }),
  'invoices, large and rare': () => ({ minAmountMinor: 10n ** 12n }),
  'invoices, failed callbacks': () => ({ callbackState: 'exhausted' }),
  'invoices, delivered callbacks': () => ({ callbackState: 'delivered' }),
  'search, an id': ({ id }) => ({ search: id }),
  'search, a transaction id': ({ transactionId }) => ({ search: transactionId }),
  'search, the beginning of one': ({ transactionId }) => ({ search: transactionId.slice(0, -2) }),
  'search, an amount': ({ amount }) => ({ search: amount }),
  'search, last four digits': () => ({ search: '4242' }),
  'search, digits that no card has': () => ({ search: '7777' }),
};

const REQUESTS: Record<string, (sample: Sample) => Partial<RequestFilters>> = {
  'request log, no filter': () => ({}),
  'request log, failures': () => ({ outcome: 'failed' }),
  'request log, no such failure': () => ({ outcome: 'server_fault' }),
  'request log, an endpoint': () => ({ endpoint: '/invoice/cancel' }),
  'request log, a request id': ({ transactionId }) => ({ search: transactionId }),
  'request log, an invoice id': ({ id }) => ({ search: id }),
};

type Ask = (page: number) => Promise<unknown>;

/** The queries of the overview page: this many days until now, summed by one basis. */
function overviewAsk(
  pool: pg.Pool,
  tenant: Tenant,
  sum: typeof sumByPayment,
  { days, timeZone, now }: { days: number; timeZone: string; now: Date },
): Ask {
  const range = readDayRange({ range: String(days) }, now.getTime(), timeZone);
  const before = edgesBefore(range, timeZone, now.getTime());
  const edgesMs = [
    before.edgesMs[0] ?? 0,
    before.edgesMs.at(-1) ?? 0,
    ...edgesOf(range.days, timeZone),
  ];
  const [todayMs = 0, endMs = 0] = edgesMs.slice(-2);
  const today = { fromMs: todayMs, untilMs: endMs };
  const yesterday = { fromMs: todayMs - DAY_MS, untilMs: todayMs };
  return () =>
    Promise.all([
      sumRegisters(pool, tenant, [today, yesterday, yesterday]),
      sum(pool, tenant, edgesMs),
      readCauses(pool, tenant, { now }),
      latestPayments(pool, tenant),
    ]);
}

function asksOf(pool: pg.Pool, tenant: Tenant, samples: Sample[], now: Date): [string, Ask][] {
  const sampleAt = (page: number): Sample =>
    samples[page % samples.length] ?? { id: '', transactionId: '', amount: '' };
  const lists = Object.entries(SEARCHES).map(([name, filtersOf]): [string, Ask] => [
    name,
    (page) => {
      const sample = sampleAt(page);
      const filters = { ...NO_FILTERS, ...filtersOf(sample, now.getTime()) };
      // Deep pages cost the same as the first; a search starts at its beginning.
      const cursor = filters.search === '' && page % 2 === 1 ? sample.id : null;
      return listAndCount(pool, tenant, { filters, cursor, limit: PAGE });
    },
  ]);
  const callbacks = (['pending', 'delivered', 'exhausted'] as const).map((state): [string, Ask] => [
    `callbacks, ${state}`,
    () => listCallbacks(pool, tenant, { states: [state], cursor: null, limit: PAGE, now }),
  ]);
  const requests = Object.entries(REQUESTS).map(([name, filtersOf]): [string, Ask] => [
    name,
    (page) => {
      const none = { search: null, outcome: null, endpoint: null };
      const filters = { ...none, ...filtersOf(sampleAt(page)) };
      const cursor = filters.search === null && page % 2 === 1 ? String(Math.ceil(ROWS / 2)) : null;
      return listApiRequests(pool, tenant, { ...filters, cursor, limit: PAGE });
    },
  ]);
  const none = { person: null, action: null, fromMs: null, untilMs: null, cursor: null };
  return [
    ...Object.entries({ paid: sumByPayment, created: sumByCreation }).flatMap(([by, sum]) =>
      TIME_ZONES.flatMap((timeZone) =>
        RANGES.map((days): [string, Ask] => [
          `overview, ${days} days, by ${by}, ${timeZone}`,
          overviewAsk(pool, tenant, sum, { days, timeZone, now }),
        ]),
      ),
    ),
    ...lists,
    ...callbacks,
    [
      'callbacks, of a host',
      () => listCallbacks(pool, tenant, { host: 'no.example', cursor: null, limit: PAGE, now }),
    ],
    ['callbacks, hosts that fail', () => failingHosts(pool, tenant, { now })],
    ...requests,
    ['audit log', () => listAudit(pool, tenant, { ...none, limit: PAGE })],
  ];
}

/** The 95th percentile of a list's pages in ms. */
async function p95Ms(ask: Ask): Promise<number> {
  for (let page = 0; page < WARM_UP; page++) await ask(page);
  const took: number[] = [];
  for (let page = 0; page < PAGES; page++) {
    const startedMs = performance.now();
    await ask(page);
    took.push(performance.now() - startedMs);
  }
  return took.sort((a, b) => a - b)[Math.floor(PAGES * 0.95)] ?? Number.NaN;
}

async function main(): Promise<void> {
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 4);
  try {
    const merchant = await createMerchantFixture(pool);
    const now = new Date();
    const samples = await writeListData(pool, { merchantId: merchant.id, rows: ROWS, now });
    const figures: { name: string; ms: number }[] = [];
    for (const [name, ask] of asksOf(pool, merchant.sandbox.tenant, samples, now)) {
      figures.push({ name, ms: await p95Ms(ask) });
    }
    const slowest = figures.reduce((a, b) => (b.ms > a.ms ? b : a));
    const verdict: Verdict = {
      name: `overview, lists and searches of ${ROWS.toLocaleString('en')}, p95 ms of the slowest`,
      measured: slowest.ms,
      spread: slowest.name,
      bar: BAR_MS,
      isLimit: true,
    };
    const rows = figures.map(({ name, ms }) => [name, ms.toFixed(1)]);
    say(`\n${aligned([['', 'p95 ms'], ...rows])}\n\n${verdictTable([verdict])}\n`);
    keep('lists', { rows: ROWS, figures, verdict });
    settle([verdict]);
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

await main();
