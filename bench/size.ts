// Creates a second with millions of invoices in the table, as a ratio to an empty one: two gateways
// on two databases of one PostgreSQL with fsync on, in turn.
//
//   npm run bench -- size [--quick]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '../server/db/pool.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import { openDatabase, shareServer } from './database.ts';
import { type LoadGenerator, startGateway, startLoadGenerator } from './processes.ts';
import { median } from './samples.ts';
import { keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const INVOICES = quick ? 50_000 : 5_000_000;
const BATCH = 500_000;
const ROUNDS = quick ? 2 : 7;
const DURATION_MS = quick ? 500 : 3_000;
const CONNECTIONS = 32;
const POOL_SIZE = 10;
const BAR = 0.8;

// Ids in the order of time, as ours; order numbers at random, as merchants'.
const SEED = `
  INSERT INTO invoices
    (id, merchant_id, environment, merchant_transaction_id, amount_minor, currency, description,
     positions, success_url, error_url, callback_url, end_date, created_at, status_changed_at)
  SELECT 'inv_0' || lpad(n::text, 34, '0'), $1, 'sandbox', md5(n::text), 4200, 'USD',
         'Order of two tickets and a programme',
         '[{"title":"Ticket, stalls, row 7","amount":4200,"currency":"USD"}]',
         'https://shop.example/s', 'https://shop.example/e', 'https://shop.example/callback',
         now() + interval '1 day', at, at
  FROM (SELECT n, now() - interval '90 days' + n * interval '1 second' AS at
        FROM generate_series($2::int, $3::int) n) made`;

type Side = { port: number; headers: { [name: string]: string }; stop(): Promise<void> };

async function startSide(url: string, folder: string, invoices: number): Promise<Side> {
  const pool = openPool(url, 1);
  const merchant = await createRestMerchant(pool);
  for (let from = 1; from <= invoices; from += BATCH) {
    const to = Math.min(from + BATCH - 1, invoices);
    await pool.query(SEED, [merchant.id, from, to]);
    say(`${to.toLocaleString('en')} of ${invoices.toLocaleString('en')} invoices`);
  }
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
  await pool.end();
  const gateway = await startGateway({
    databaseUrl: url,
    poolSize: POOL_SIZE,
    folder,
    coalesce: 'on',
  });
  return { port: gateway.port, headers: { ...merchant.sandbox }, stop: () => gateway.stop() };
}

async function perSecond(load: LoadGenerator, { port, headers }: Side): Promise<number> {
  const result = await load.run({
    kind: 'create',
    port,
    connections: CONNECTIONS,
    durationMs: DURATION_MS,
    headers,
    invoiceIds: [],
  });
  return (result.requests / result.durationMs) * 1000;
}

async function measure(full: Side, empty: Side): Promise<number[]> {
  const load = startLoadGenerator();
  const ratios: number[] = [];
  for (const side of [full, empty]) await perSecond(load, side);
  for (let round = 0; round < ROUNDS; round++) {
    // The first one changes, because it finds the machine a little warmer or colder.
    const first = round % 2 === 0 ? full : empty;
    const firstSpeed = await perSecond(load, first);
    const secondSpeed = await perSecond(load, first === full ? empty : full);
    ratios.push(first === full ? firstSpeed / secondSpeed : secondSpeed / firstSpeed);
    say(`round ${round + 1} of ${ROUNDS}: ${ratios.at(-1)?.toFixed(2)}`);
  }
  load.stop();
  return ratios;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await buildWhenStale();
  const endServer = await shareServer();
  const databases = [await openDatabase(), await openDatabase()] as const;
  const sides: Side[] = [];
  try {
    const full = await startSide(databases[0].url, folder, INVOICES);
    sides.push(full);
    const empty = await startSide(databases[1].url, folder, 0);
    sides.push(empty);
    const ratios = await measure(full, empty);
    const verdict: Verdict = {
      name: `create with ${INVOICES.toLocaleString('en')} invoices ÷ with none`,
      measured: median(ratios),
      spread: spreadOf(ratios),
      bar: BAR,
      isLimit: false,
    };
    say(`\n${verdictTable([verdict])}\n`);
    keep('size', { invoices: INVOICES, ratios, verdict });
    settle([verdict]);
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
    for (const database of databases) await database.stop();
    await endServer();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
