// 10,000 due invoices among 1,000,000 others: seconds in sets (as the worker does it) and one by
// one, and the latency of create and status meanwhile, over HTTP, at a steady rate that does not
// wait for answers.
//
//   npm run bench -- expiry [--quick]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from '../server/db/pool.ts';
import { EXPIRY_SET, expireDueInvoices } from '../server/invoices/expire.ts';
import { transition } from '../server/invoices/transition.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import { openDatabase } from './database.ts';
import { startGateway } from './processes.ts';
import { median } from './samples.ts';
import { SteadyLoad } from './steady-load.ts';
import { keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const PENDING = quick ? 100_000 : 1_000_000;
const DUE = 10_000;
const SHOWN_DUE = DUE.toLocaleString('en');
// One by one is slow and steady, so a part of them is enough.
const ONE_BY_ONE = quick ? 500 : 5_000;
const ROUNDS = quick ? 2 : 15;
const POOL_SIZE = 10;
const BARS = { seconds: 1.5, timesFaster: 8 };

const SEED = `
  INSERT INTO invoices
    (id, merchant_id, environment, merchant_transaction_id, amount_minor, currency, description,
     positions, success_url, error_url, callback_url, end_date, created_at, status_changed_at)
  SELECT 'inv_' || $2::text || lpad(n::text, 9, '0'), $1, 'sandbox', $2::text || n, 1500, 'USD', 'Bench',
         '[{"title":"Ticket","amount":1500,"currency":"USD"}]', 'http://localhost/s', 'http://localhost/e',
         'http://127.0.0.1:9/callback', $4::timestamptz, now(), now()
  FROM generate_series(1, $3::int) n`;

type Database = { pool: pg.Pool; merchantId: string };

const seed = ({ pool, merchantId }: Database, name: string, count: number, endDate: Date) =>
  pool.query(SEED, [merchantId, name, count, endDate.toISOString()]);

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1000;

async function inSets(database: Database): Promise<number> {
  const startMs = performance.now();
  let expired = 0;
  for (;;) {
    const now = new Date();
    const { expired: count } = await expireDueInvoices(database.pool, { now, limit: EXPIRY_SET });
    expired += count;
    if (count < EXPIRY_SET) break;
  }
  if (expired !== DUE) throw new Error(`${expired} expired instead of ${DUE}`);
  return secondsSince(startMs);
}

/** Seconds for as many as in sets, for a worker that handles one job at a time. */
async function oneByOne({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM invoices WHERE status = 'PENDING' AND end_date < now() LIMIT $1`,
    [ONE_BY_ONE],
  );
  const startMs = performance.now();
  for (const { id } of rows) {
    const context = { actor: { type: 'clock' } as const, now: new Date() };
    await transition(pool, { invoiceId: id, tenant: null }, { trigger: 'expire' }, context);
  }
  return (secondsSince(startMs) / rows.length) * DUE;
}

async function measure(database: Database, load: SteadyLoad) {
  const past = () => new Date(Date.now() - 1_000);
  const sets: number[] = [];
  const single: number[] = [];
  await load.during('warm-up', () => sleep(2_000));
  for (let round = 0; round < ROUNDS; round++) {
    await load.during(`idle ${round}`, () => sleep(1_500));
    await seed(database, `due${round}-`, DUE, past());
    await sleep(500);
    await load.during(`expiring ${round}`, async () => {
      sets.push(await inSets(database));
    });
    await seed(database, `one${round}-`, ONE_BY_ONE, past());
    // Under the same load as the sets; otherwise it would measure an idle machine.
    await load.during(`one by one ${round}`, async () => {
      single.push(await oneByOne(database));
    });
    say(`round ${round + 1} of ${ROUNDS}: ${sets.at(-1)?.toFixed(2)} s`);
  }
  return { sets, single };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await buildWhenStale();
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 2);
  const merchant = await createRestMerchant(pool);
  const database = { pool, merchantId: merchant.id };
  say(`Preparing ${PENDING.toLocaleString('en')} pending invoices …`);
  await seed(database, 'pending-', PENDING, new Date(Date.now() + 86_400_000));
  await pool.query('VACUUM ANALYZE invoices');
  // A server that has run for a while reuses its WAL files. A new one has none after a large write
  // and makes one for every 16 MB, while all commits wait.
  await pool.query('CHECKPOINT');
  const gateway = await startGateway({
    databaseUrl: postgres.url,
    poolSize: POOL_SIZE,
    folder,
    coalesce: 'on',
  });
  const load = new SteadyLoad(gateway.port, { ...merchant.sandbox }, 'inv_pending-000000001');
  try {
    const measured = await measure(database, load);
    report(measured, load);
  } finally {
    await load.close();
    await gateway.stop();
    await pool.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report({ sets, single }: { sets: number[]; single: number[] }, load: SteadyLoad): void {
  const times = sets.map((seconds, round) => (single[round] ?? Number.NaN) / seconds);
  const verdicts: Verdict[] = [
    {
      name: `${SHOWN_DUE} due among ${PENDING.toLocaleString('en')}, seconds in sets of ${EXPIRY_SET}`,
      measured: median(sets),
      spread: spreadOf(sets),
      bar: BARS.seconds,
      isLimit: true,
    },
    {
      name: 'one by one ÷ in sets',
      measured: median(times),
      spread: spreadOf(times),
      bar: BARS.timesFaster,
      isLimit: false,
    },
    ...(['create', 'status'] as const).map((kind) =>
      load.p99Verdict(`${kind} p99 while ${SHOWN_DUE} expire ÷ idle`, {
        phase: 'expiring',
        kind,
        rounds: sets.length,
      }),
    ),
  ];
  say(`\n${verdictTable(verdicts)}\n`);
  keep('expiry', { sets, single, verdicts, quick });
  settle(verdicts);
}

await main();
