// Refunds a second through the door beside the creates of the same gateway, in turn. A refund is a
// transaction of its own: it is written before the sandbox's acquirer is asked, and ended by its
// answer.
//
//   npm run bench -- refund [--quick] [--profile]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { openPool } from '../server/db/pool.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import { openDatabase } from './database.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { type LoadGenerator, type Server, startGateway, startLoadGenerator } from './processes.ts';
import { processorTimeMs } from './processor-time.ts';
import { median } from './samples.ts';
import { aligned, keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 2 : 9;
const DURATION_MS = quick ? 800 : 2_000;
const WARM_UP_MS = quick ? 800 : 3_000;
const CONNECTIONS = 32;
const POOL_SIZE = 10;
const PAID_INVOICES = quick ? 2_000 : 10_000;
const BAR = 0.04;

const KINDS = ['create', 'refund'] as const;
type Kind = (typeof KINDS)[number];

// Each is paid by the sandbox's card form, with all that is left of that in its books.
const SEED = [
  `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor, currency,
     description, positions, success_url, error_url, callback_url, end_date, created_at,
     status_changed_at, status, capture_attempt_id)
   SELECT id, $2, 'sandbox', id, 4200, 'USD', 'Bench', '[]', 'http://localhost/s',
     'http://localhost/e', 'http://127.0.0.1:9/callback', now() + interval '1 day', now(), now(),
     'PAID', 'pay_' || id
   FROM unnest($1::text[]) id`,
  `INSERT INTO payment_attempts (id, invoice_id, status, provider, authorisation_id, amount_minor,
     currency, card_brand, card_last4, created_at, updated_at)
   SELECT 'pay_' || id, id, 'captured', 'sandbox', 'sbx_' || id, 4200, 'USD', 'visa', '4242', now(),
     now()
   FROM unnest($1::text[]) id`,
  `INSERT INTO sandbox_authorisations (id, idempotency_key, amount_minor, currency, outcome, state,
     created_at, answers_at)
   SELECT 'sbx_' || id, 'pay_' || id, 4200, 'USD', 'approved', 'approved', now(), now()
   FROM unnest($1::text[]) id`,
  `INSERT INTO sandbox_ledger_entries (authorisation_id, kind, amount_minor, currency, at)
   SELECT 'sbx_' || id, 'capture', 4200, 'USD', now() FROM unnest($1::text[]) id`,
];

type Stage = {
  postgresPid: number;
  headers: { [name: string]: string };
  paidIds: string[];
  server: Server;
  load: LoadGenerator;
};
type Measured = {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time for one request, in microseconds. */
  serverUs: number;
  databaseUs: number;
};
type Round = Record<Kind, Measured>;

async function seedPaid(pool: pg.Pool, merchantId: string): Promise<string[]> {
  const ids = Array.from({ length: PAID_INVOICES }, (_, index) => `inv_paid${index + 1}`);
  const [invoices = '', ...others] = SEED;
  await pool.query(invoices, [ids, merchantId]);
  for (const text of others) await pool.query(text, [ids]);
  return ids;
}

function run({ server, load, headers, paidIds }: Stage, kind: Kind, durationMs: number) {
  const job = { kind, port: server.port, connections: CONNECTIONS, durationMs, headers };
  return load.run({ ...job, invoiceIds: kind === 'refund' ? paidIds : [] } satisfies LoadJob);
}

async function measureKind(stage: Stage, kind: Kind): Promise<Measured> {
  const spentMs = () => [stage.server.pid, stage.postgresPid].map(processorTimeMs);
  const [serverMs = Number.NaN, databaseMs = Number.NaN] = spentMs();
  const result: LoadResult = await run(stage, kind, DURATION_MS);
  const [serverEndMs = Number.NaN, databaseEndMs = Number.NaN] = spentMs();
  const { requests, durationMs, p50Ms, p99Ms } = result;
  return {
    perSecond: (requests * 1000) / durationMs,
    p50Ms,
    p99Ms,
    serverUs: ((serverEndMs - serverMs) * 1000) / requests,
    databaseUs: ((databaseEndMs - databaseMs) * 1000) / requests,
  };
}

/** Measures both once; which comes first changes from round to round. */
async function measureRound(stage: Stage, round: number): Promise<Round> {
  const measured: Partial<Round> = {};
  for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
    measured[kind] = await measureKind(stage, kind);
  }
  return measured as Round;
}

async function measure(stage: Stage, pool: pg.Pool): Promise<Round[]> {
  for (const kind of KINDS) await run(stage, kind, WARM_UP_MS);
  // Plans made for the first refunds read all of a table that is known to be empty. They are made
  // anew after the next statistics, which autovacuum takes within a minute.
  await pool.query('ANALYZE');
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(stage, round));
  return rounds;
}

function summarise(rounds: Round[]): string {
  const headings = ['a second', 'p50 ms', 'p99 ms', 'server µs', 'PostgreSQL µs'];
  const rows = KINDS.map((kind) => {
    const of = (value: keyof Measured, digits: number) =>
      median(rounds.map((round) => round[kind][value])).toFixed(digits);
    const rates = [of('perSecond', 0), of('p50Ms', 1), of('p99Ms', 1)];
    return [`${kind}s`, ...rates, of('serverUs', 0), of('databaseUs', 0)];
  });
  return aligned([['', ...headings], ...rows]);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await buildWhenStale();
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 1);
  const merchant = await createRestMerchant(pool);
  const paidIds = await seedPaid(pool, merchant.id);
  await pool.query('VACUUM ANALYZE');
  const options = { databaseUrl: postgres.url, poolSize: POOL_SIZE, folder };
  const server = await startGateway({ ...options, coalesce: 'on' });
  const load = startLoadGenerator();
  try {
    const headers = { ...merchant.sandbox };
    const stage = { postgresPid: postgres.pid, headers, paidIds, server, load };
    const rounds = await measure(stage, pool);
    const ratios = rounds.map(({ refund, create }) => refund.perSecond / create.perSecond);
    const verdict: Verdict = {
      name: 'refunds ÷ creates',
      measured: median(ratios),
      spread: spreadOf(ratios),
      bar: BAR,
      isLimit: false,
    };
    say(`\n${summarise(rounds)}\n\n${verdictTable([verdict])}\n`);
    keep('refund', { rounds, verdict });
    settle([verdict]);
  } finally {
    load.stop();
    await server.stop();
    await pool.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
