// A sale ends: 10,000 callbacks to 100 hosts become due at once, while creates go on coming.
// Measures how fast the real worker sends and records them, as a ratio to plain undici beside the
// same creates; and how long a create waits meanwhile.
//
//   npm run bench -- burst [--quick]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Agent } from 'undici';
import { notificationId } from '../server/callbacks/enqueue.ts';
import { QUEUE } from '../server/callbacks/queue/queues.ts';
import { openPool } from '../server/db/pool.ts';
import { createSigningSecret } from '../server/merchants/signing-secrets.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { createMerchantFixture } from '../server/testing/factories.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import { openDatabase } from './database.ts';
import { startGateway, startWorker } from './processes.ts';
import { processorTimeMs } from './processor-time.ts';
import { median } from './samples.ts';
import { SteadyLoad } from './steady-load.ts';
import { keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 1 : 11;
const HOSTS = 100;
const DUE = quick ? 3_000 : 10_000;
const IDLE_MS = quick ? 800 : 2_000;
// A web's first creates take several times as long as those after some thousand.
const WARM_UP_MS = quick ? 800 : 10_000;
const PLAIN_IN_FLIGHT = 64;
// Checks take processor time from the burst: none before 40,000 a second could be done.
const LOOK_MS = 10;
const FIRST_LOOK_MS = DUE / 40;
// Reading the worker's processor time takes a few milliseconds, and must be over by then.
const READ_BEFORE_MS = 100;
// The time to write them and to let the writing settle, with a margin.
const DUE_AFTER_MS = quick ? 4_000 : 10_000;
const LEAST_PER_PLAIN = 0.45;

// Cancelled invoices and their callbacks, due later, spread over merchants with one host each.
const SEED = `
  WITH numbered AS (
    SELECT 'inv_' || $1::text || lpad(n::text, 9, '0') AS id, n % ${HOSTS} AS host
    FROM generate_series(1, ${DUE}) n
  ), placed AS (
    SELECT n.id, ($2::text[])[n.host + 1] AS merchant_id,
      '127.0.0.' || (n.host + 1) || ':' || $3::int AS host
    FROM numbered n
  ), invoice AS (
    INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status, amount_minor,
      currency, description, positions, success_url, error_url, callback_url, end_date, created_at,
      status_changed_at)
    SELECT id, merchant_id, 'production', id, 'CANCELED', 1500, 'USD', 'Bench', '[]', 'http://localhost/s',
      'http://localhost/e', 'http://' || host || '/callback', now(), now(), now() FROM placed
  )
  INSERT INTO callbacks (id, invoice_id, merchant_id, environment, url, host, invoice_status, body,
    next_attempt_at, created_at)
  SELECT ${notificationId('id')}, id, merchant_id, 'production', 'http://' || host || '/callback', host,
    'CANCELED', convert_to('{"invoice_id":"' || id || '","status":4,"amount":1500}', 'UTF8'),
    $4::timestamptz, now()
  FROM placed`;

// Uses the index of the claims, which clean it of delivered entries: otherwise each check would
// pass over all of them.
const FIRST_LEFT = `
  SELECT FROM callbacks c WHERE c.state = 'pending'
  ORDER BY c.merchant_id, ${QUEUE}, c.next_attempt_at LIMIT 1`;

type Stage = {
  pool: pg.Pool;
  merchants: string[];
  receiverPort: number;
  workerPid: number;
  load: SteadyLoad;
};
type Drain = {
  perSecond: number;
  /** The worker's processor time for one callback. */
  workerUs: number;
};

async function startReceiver(): Promise<{ port: number; child: ChildProcess }> {
  const child = fork(new URL('./receiver.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, LISTEN: '0.0.0.0' },
  });
  const [port] = (await once(child, 'message')) as [number];
  return { port, child };
}

/** Callbacks a second of plain undici to the same hosts, without a database. */
async function postPlainly({ receiverPort, load }: Stage): Promise<number> {
  const agent = new Agent({ connections: PLAIN_IN_FLIGHT });
  const body = '{"invoice_id":"inv_plain000000000","status":4,"amount":1500}';
  const headers = { 'content-type': 'application/json' };
  let left = DUE;
  const loop = async () => {
    for (; left > 0; left--) {
      const origin = `http://127.0.0.${(left % HOSTS) + 1}:${receiverPort}`;
      const answer = await agent.request({ origin, path: '/', method: 'POST', headers, body });
      await answer.body.json();
    }
  };
  const startMs = performance.now();
  let tookMs = Number.NaN;
  await load.during('plain', async () => {
    await Promise.all(Array.from({ length: PLAIN_IN_FLIGHT }, loop));
    tookMs = performance.now() - startMs;
  });
  await agent.close();
  return (DUE * 1000) / tookMs;
}

/**
 * From their due time until the last result is recorded. The clock makes them due: creates would
 * wait for ten thousand rows written at that moment.
 */
async function drain(
  { pool, merchants, receiverPort, workerPid, load }: Stage,
  { name, phase }: { name: string; phase: string },
): Promise<Drain> {
  const dueAtMs = Date.now() + DUE_AFTER_MS;
  await pool.query(SEED, [name, merchants, receiverPort, new Date(dueAtMs).toISOString()]);
  await pool.query('VACUUM ANALYZE callbacks');
  await pool.query('CHECKPOINT');
  const isLeft = async () => {
    const { rowCount } = await pool.query(FIRST_LEFT);
    return rowCount === 1;
  };
  const settledMs = dueAtMs - READ_BEFORE_MS - Date.now();
  if (settledMs < 0) throw new Error(`They are due in ${settledMs + READ_BEFORE_MS} ms: too soon.`);
  await sleep(settledMs);
  const spentMs = processorTimeMs(workerPid);
  await sleep(dueAtMs - Date.now());
  let tookMs = Number.NaN;
  await load.during(phase, async () => {
    await sleep(FIRST_LOOK_MS);
    while (await isLeft()) await sleep(LOOK_MS);
    tookMs = Date.now() - dueAtMs;
  });
  const workerUs = ((processorTimeMs(workerPid) - spentMs) * 1000) / DUE;
  return { perSecond: (DUE * 1000) / tookMs, workerUs };
}

async function measure(stage: Stage) {
  const plain: number[] = [];
  const worker: Drain[] = [];
  await stage.load.during('warm-up', () => sleep(WARM_UP_MS));
  await postPlainly(stage);
  await drain(stage, { name: 'warm', phase: 'warm-up' });
  for (let round = 0; round < ROUNDS; round++) {
    await stage.load.during(`idle ${round}`, () => sleep(IDLE_MS));
    plain.push(await postPlainly(stage));
    const drained = await drain(stage, { name: `round${round}`, phase: `burst ${round}` });
    worker.push(drained);
    const { perSecond, workerUs } = drained;
    const figures = `${perSecond.toFixed(0)} callbacks a second, ${workerUs.toFixed(0)} µs`;
    say(`round ${round + 1} of ${ROUNDS}: ${figures} of the worker for each`);
  }
  return { plain, worker };
}

function judge({ plain, worker }: { plain: number[]; worker: Drain[] }, load: SteadyLoad) {
  const ratios = worker.map(({ perSecond }, round) => perSecond / (plain[round] ?? Number.NaN));
  const verdicts: Verdict[] = [
    {
      name: `burst of ${DUE.toLocaleString('en')} to ${HOSTS} hosts beside creates ÷ plain undici`,
      measured: median(ratios),
      spread: spreadOf(ratios),
      bar: LEAST_PER_PLAIN,
      isLimit: false,
    },
    load.p99Verdict('create p99 during the burst ÷ idle', {
      phase: 'burst',
      kind: 'create',
      rounds: worker.length,
    }),
  ];
  return verdicts;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  // The worker opens what is sealed here: both read the key in the folder.
  process.env.DATA_DIR = folder;
  await buildWhenStale();
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 2);
  const merchants: string[] = [];
  for (let host = 0; host < HOSTS; host++) {
    const { id } = await createMerchantFixture(pool);
    await createSigningSecret(pool, { merchantId: id, environment: 'production', now: new Date() });
    merchants.push(id);
  }
  const creator = await createRestMerchant(pool);
  const receiver = await startReceiver();
  const options = { databaseUrl: postgres.url, poolSize: 10, folder };
  const gateway = await startGateway({ ...options, coalesce: 'on' });
  const worker = startWorker(options);
  const load = new SteadyLoad(gateway.port, { ...creator.sandbox }, null);
  try {
    const stage = { pool, merchants, receiverPort: receiver.port, workerPid: worker.pid, load };
    const measured = await measure(stage);
    const verdicts = judge(measured, load);
    say(`\n${verdictTable(verdicts)}\n`);
    keep('burst', { ...measured, verdicts });
    settle(verdicts);
  } finally {
    await load.close();
    await worker.stop();
    await gateway.stop();
    receiver.child.disconnect();
    await pool.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
