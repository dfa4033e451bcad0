// What a merchant's server reads through the door: lists of invoices by every filter, details,
// refunds and events, each from its beginning, from anywhere and at its end, with 1,000,000 invoices
// of one merchant, or the given numbers of them. Nothing may cost more than what it shows. Then what
// the staff's search finds, by the server's time with its statements.
//
//   npm run bench -- reading [--quick] [--finding] [--rows 1000000 5000000]
//
// `--finding` leaves out the door.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { openPool } from '../server/db/pool.ts';
import { grantTenant } from '../server/merchants/tenant.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import { cursorText } from '../server/wire/list-query.ts';
import { openDatabase } from './database.ts';
import { findAsks, indexAll } from './finding.ts';
import { startGateway } from './processes.ts';
import { type ReadingData, writeReadingData } from './reading-data.ts';
import { percentileOf } from './samples.ts';
import { aligned, keep, say, settle, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const isFindingOnly = process.argv.includes('--finding');
const asked = process.argv
  .slice(2)
  .map(Number)
  .filter((rows) => rows > 0);
const PRESET = quick ? 5_000 : 1_000_000;
const SIZES = asked.length > 0 ? asked : [PRESET];
const WARM_UP = 5;
const PAGES = quick ? 20 : 100;
const BAR_MS = 100;
const DAY_MS = 86_400_000;

type Query = { [name: string]: string | number };

/** The filters; of those by payment the pages are in the order of payment. */
const filtersOf = (nowMs: number): Record<string, Query> => {
  const ago = (days: number) => nowMs - days * DAY_MS;
  return {
    'no filter': {},
    'no filter, 200 on a page': { limit: 200 },
    PAID: { status: 2 },
    EXPIRED: { status: 3 },
    PENDING: { status: 1 },
    'CANCELED, rare and old': { status: 4 },
    USD: { currency: 'USD' },
    'USD, 200 on a page': { currency: 'USD', limit: 200 },
    'EUR, rare and old': { currency: 'EUR' },
    'PAID in USD': { status: 2, currency: 'USD' },
    'PENDING in USD': { status: 1, currency: 'USD' },
    'PENDING in EUR, none': { status: 1, currency: 'EUR' },
    'CANCELED in EUR': { status: 4, currency: 'EUR' },
    'created on one day': { created_from: ago(45), created_to: ago(44) },
    'created long ago': { created_to: ago(80) },
    'created before all': { created_to: ago(200) },
    'PENDING, created on one day': { status: 1, created_from: ago(45), created_to: ago(44) },
    'PAID in USD, created on one day': {
      ...{ status: 2, currency: 'USD', created_from: ago(45), created_to: ago(44) },
    },
    'paid at any time': { paid_from: 0 },
    'paid on one day': { paid_from: ago(45), paid_to: ago(44) },
    'paid in EUR': { paid_from: 0, currency: 'EUR' },
    'paid in UZS, 200 on a page': { paid_from: 0, currency: 'UZS', limit: 200 },
    'paid lately, created long ago': { paid_from: ago(10), created_to: ago(80) },
  };
};

/** A line of the table: what is asked for, by the number of the question. */
type Line = { name: string; path: (page: number) => string };

function pathOf(endpoint: string, query: Query): string {
  const params = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `/api/sandbox${endpoint}?${new URLSearchParams(params)}`;
}

function listLines(data: ReadingData, nowMs: number): Line[] {
  const paid = data.samples.filter(({ paidAtMs }) => paidAtMs !== null);
  return Object.entries(filtersOf(nowMs)).flatMap(([name, filters]) => {
    const isByPayment = 'paid_from' in filters;
    const places = isByPayment ? paid : data.samples.map(({ id }) => ({ id, paidAtMs: null }));
    const last = isByPayment ? data.lastPaid : { ...data.last, paidAtMs: null };
    const after = (place = last) =>
      pathOf('/invoice/list', { ...filters, cursor: cursorText(place) });
    return [
      { name: `list, ${name}`, path: () => pathOf('/invoice/list', filters) },
      { name: '  from anywhere', path: (page) => after(places[page % places.length]) },
      { name: '  its end', path: () => after() },
    ];
  });
}

function lines(data: ReadingData, nowMs: number): Line[] {
  const { samples, refundedIds, manyRefundsId, middlePosition } = data;
  const sampleAt = (page: number) =>
    samples[page % samples.length] ?? { id: '', transactionId: '' };
  const events = (position: bigint, limit: number) => {
    const after = Buffer.from(`${position}:0:`).toString('base64url');
    return () => pathOf('/event/list', { after, limit });
  };
  const refunds = (id: string) => pathOf('/invoice/refunds', { invoice_id: id });
  return [
    ...listLines(data, nowMs),
    {
      name: 'details, by id',
      path: (page) => pathOf('/invoice/details', { invoice_id: sampleAt(page).id }),
    },
    {
      name: 'details, by transaction id',
      path: (page) => {
        const { transactionId } = sampleAt(page);
        return pathOf('/invoice/details', { merchant_transaction_id: transactionId });
      },
    },
    { name: 'refunds', path: (page) => refunds(refundedIds[page % refundedIds.length] ?? '') },
    { name: 'refunds, none', path: (page) => refunds(sampleAt(page).id) },
    { name: 'refunds, 200 of one', path: () => refunds(manyRefundsId) },
    { name: 'events, the first', path: () => pathOf('/event/list', {}) },
    { name: 'events, the first 1,000', path: () => pathOf('/event/list', { limit: 1_000 }) },
    { name: 'events from the middle', path: events(middlePosition, 100) },
    { name: 'events from the middle, 1,000', path: events(middlePosition, 1_000) },
    { name: 'events of the last minute', path: events(BigInt(nowMs) - 60_000n, 100) },
    { name: 'events, nothing new', path: events(10n ** 17n, 100) },
  ];
}

type Figure = { name: string; p50Ms: number; p95Ms: number };
type Headers = { [name: string]: string };

async function figureOf(name: string, ask: (page: number) => Promise<unknown>): Promise<Figure> {
  const took: number[] = [];
  for (let page = -WARM_UP; page < PAGES; page++) {
    const startedMs = performance.now();
    await ask(Math.abs(page));
    if (page >= 0) took.push(performance.now() - startedMs);
  }
  return { name, p50Ms: percentileOf(took, 0.5), p95Ms: percentileOf(took, 0.95) };
}

async function readThrough(client: Client, headers: Headers, path: string): Promise<void> {
  const { statusCode, body } = await client.request({ method: 'GET', path, headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${text}`);
}

async function measureDoor(
  server: { port: number },
  headers: Headers,
  asked: Line[],
): Promise<Figure[]> {
  const client = new Client(`http://127.0.0.1:${server.port}`);
  const figures: Figure[] = [];
  try {
    for (const { name, path } of asked) {
      figures.push(await figureOf(name, (page) => readThrough(client, headers, path(page))));
    }
  } finally {
    await client.close();
  }
  return figures;
}

type Measured = { rows: number; door: Figure[]; finding: Figure[] };

/** Asks for every line with that many invoices, one after the other. */
async function measure(folder: string, rows: number): Promise<Measured> {
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 2);
  try {
    const merchant = await createRestMerchant(pool);
    const now = new Date();
    say(`Preparing ${rows.toLocaleString('en')} invoices …`);
    const data = await writeReadingData(pool, { merchantId: merchant.id, rows, now });
    await indexAll(pool, now);
    const finding: Figure[] = [];
    const tenant = grantTenant(merchant.id, 'sandbox');
    for (const { name, ask } of await findAsks(pool, tenant, { samples: data.samples, now })) {
      const figure = await figureOf(name, ask);
      say(`${name}: ${figure.p95Ms.toFixed(1)} ms`);
      finding.push(figure);
    }
    if (isFindingOnly) return { rows, door: [], finding };
    const options = { databaseUrl: postgres.url, poolSize: 10, folder };
    const server = await startGateway({ ...options, coalesce: 'on' });
    try {
      const door = await measureDoor(server, { ...merchant.sandbox }, lines(data, now.getTime()));
      return { rows, door, finding };
    } finally {
      await server.stop();
    }
  } finally {
    await pool.end();
    await postgres.stop();
  }
}

function verdictOf(what: string, figures: Figure[]): Verdict {
  const slowest = figures.reduce((a, b) => (b.p95Ms > a.p95Ms ? b : a));
  // The line of a page further on is named by the first's.
  const first = figures
    .slice(0, figures.indexOf(slowest) + 1)
    .findLast(({ name }) => name[0] !== ' ');
  const further = slowest === first ? '' : `,${slowest.name.slice(1)}`;
  return {
    name: `${what}, p95 ms of the slowest`,
    measured: slowest.p95Ms,
    spread: `${first?.name}${further}`,
    bar: BAR_MS,
    isLimit: true,
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  if (!isFindingOnly) await buildWhenStale();
  const measured: Measured[] = [];
  try {
    for (const rows of SIZES) measured.push(await measure(folder, rows));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const headings = SIZES.flatMap((rows) => [`${rows.toLocaleString('en')}, p50 ms`, 'p95 ms']);
  const all = measured.map(({ door, finding }) => [...door, ...finding]);
  const rows = (all[0] ?? []).map(({ name }, index) => [
    name,
    ...all.flatMap((figures) => {
      const { p50Ms, p95Ms } = figures[index] ?? { p50Ms: Number.NaN, p95Ms: Number.NaN };
      return [p50Ms.toFixed(1), p95Ms.toFixed(1)];
    }),
  ]);
  const verdicts = measured.flatMap(({ rows: size, door, finding }) => [
    ...(isFindingOnly
      ? []
      : [verdictOf(`reading ${size.toLocaleString('en')} through the door`, door)]),
    verdictOf(`finding one of ${size.toLocaleString('en')}`, finding),
  ]);
  say(`\n${aligned([['', ...headings], ...rows])}\n\n${verdictTable(verdicts)}\n`);
  keep('reading', { measured, verdicts });
  settle(verdicts);
}

await main();
