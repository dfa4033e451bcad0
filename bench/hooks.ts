// How fast the hooks of acquirers that call us are answered: Payme's and Click's payments of
// different invoices at a steady rate, alone and beside 500 creates a second. And whether creates
// and statuses are as fast for a merchant with accounts at acquirers as for one without.
//
//   npm run bench -- hooks [--quick] [--profile]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { openPool } from '../server/db/pool.ts';
import { connectAccount } from '../server/payments/accounts/accounts.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { type Credentials, createRestMerchant } from '../server/testing/rest.ts';
import { openDatabase } from './database.ts';
import {
  ACCOUNT_FIELD,
  HOOKS,
  HOOKS_PER_SECOND,
  HookLoad,
  type HookTimes,
  type Payable,
} from './hook-load.ts';
import type { LoadJob } from './load.ts';
import { type LoadGenerator, type Server, startGateway, startLoadGenerator } from './processes.ts';
import { processorTimeMs } from './processor-time.ts';
import { KINDS, type Kind, median, percentileOf } from './samples.ts';
import { aligned, keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 2 : 7;
const HOOKS_MS = quick ? 1_000 : 3_000;
const CLOSED_MS = quick ? 500 : 1_000;
const WARM_UP_MS = quick ? 3_000 : 5_000;
const CREATES_PER_SECOND = 500;
const CONNECTIONS = 32;
const AMOUNT_MINOR = 4_200_000;
const STATUS_INVOICES = 2_000;
// Twice those that the rounds and the warm-up pay.
const PAYABLE_INVOICES = 5_000;
const P95_MS = 50;
const LEAST_OF_RATE = 0.95;
const LEAST_OF_OTHER = 0.9;

const SEED = `
  INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor, currency,
    description, positions, success_url, error_url, callback_url, end_date, created_at,
    status_changed_at)
  SELECT id, $2, 'sandbox', id, ${AMOUNT_MINOR}, 'UZS', 'Bench', '[]', 'http://localhost/s',
    'http://localhost/e', 'http://127.0.0.1:9/callback', now() + interval '1 day', now(), now()
  FROM unnest($1::text[]) id`;

/** A merchant's credentials for creates and statuses, and the invoices that it asks for. */
type Shop = { headers: Credentials; invoiceIds: string[] };
const SHOPS = ['with accounts', 'without'] as const;
type Stage = {
  postgresPid: number;
  shops: Record<(typeof SHOPS)[number], Shop>;
  server: Server;
  load: LoadGenerator;
  hooks: HookLoad;
};
type Round = {
  alone: HookTimes;
  /** Processor time for one hook, alone, in microseconds. */
  serverUs: number;
  databaseUs: number;
  beside: HookTimes;
  /** Creates a second that were answered beside the hooks. */
  createsPerSecond: number;
  /** Requests a second without hooks beside, as fast as they are answered. */
  closed: Record<Kind, Record<(typeof SHOPS)[number], number>>;
};

const allOf = (times: HookTimes): number[] => HOOKS.flatMap((hook) => times[hook]);

async function seed(pool: pg.Pool, merchantId: string, name: string, count: number) {
  const ids = Array.from({ length: count }, (_, index) => `inv_${name}${index + 1}`);
  await pool.query(SEED, [ids, merchantId]);
  return ids;
}

/** Connects accounts at Payme and Click, with invoices to pay. */
async function connect(pool: pg.Pool, merchantId: string): Promise<Payable> {
  const key = 'bench-key';
  const secretKey = 'bench-secret';
  const serviceId = '100';
  const common = {
    merchantId,
    environment: 'sandbox',
    actor: { type: 'operator', id: null, label: 'bench' },
    now: new Date(),
  } as const;
  const payme = await connectAccount(pool, {
    ...common,
    provider: 'payme',
    credentials: { merchant_id: 'bench', key, account_field: ACCOUNT_FIELD },
  });
  const click = await connectAccount(pool, {
    ...common,
    provider: 'click',
    credentials: {
      ...{ merchant_id: '10', service_id: serviceId, merchant_user_id: '1', secret_key: secretKey },
    },
  });
  return {
    payme: { accountId: payme.id, key },
    click: { accountId: click.id, serviceId, secretKey },
    invoiceIds: await seed(pool, merchantId, 'paid', PAYABLE_INVOICES),
    amountMinor: AMOUNT_MINOR,
  };
}

function jobOf({ server }: Stage, shop: Shop, kind: Kind): LoadJob {
  const { headers, invoiceIds } = shop;
  const durationMs = CLOSED_MS;
  const job = { kind, port: server.port, connections: CONNECTIONS, durationMs, invoiceIds };
  return { ...job, headers: { ...headers } };
}

/** Hooks with nothing beside them. */
async function alone({ hooks, server, postgresPid }: Stage) {
  const spentMs = () => [processorTimeMs(server.pid), processorTimeMs(postgresPid)] as const;
  const [serverMs, databaseMs] = spentMs();
  const times = await hooks.run(HOOKS_MS);
  const [serverEndMs, databaseEndMs] = spentMs();
  const count = allOf(times).length;
  return {
    alone: times,
    serverUs: ((serverEndMs - serverMs) * 1000) / count,
    databaseUs: ((databaseEndMs - databaseMs) * 1000) / count,
  };
}

/** Hooks beside creates that are due at their fixed rate. */
async function besideCreates(stage: Stage, durationMs: number) {
  const job = jobOf(stage, stage.shops['with accounts'], 'create');
  const [times, creates] = await Promise.all([
    stage.hooks.run(durationMs),
    stage.load.run({ ...job, durationMs, perSecond: CREATES_PER_SECOND }),
  ]);
  return { times, createsPerSecond: (creates.requests * 1000) / creates.durationMs };
}

async function perSecond(stage: Stage, shop: Shop, kind: Kind): Promise<number> {
  const { requests, durationMs } = await stage.load.run(jobOf(stage, shop, kind));
  return (requests * 1000) / durationMs;
}

/** Measures everything once; which comes first changes from round to round. */
async function measureRound(stage: Stage, round: number): Promise<Round> {
  const isOdd = round % 2 === 1;
  const before = isOdd ? null : await alone(stage);
  const { times: beside, createsPerSecond } = await besideCreates(stage, HOOKS_MS);
  const own = before ?? (await alone(stage));
  const closed = {
    create: { 'with accounts': Number.NaN, without: Number.NaN },
    status: { 'with accounts': Number.NaN, without: Number.NaN },
  };
  for (const kind of KINDS) {
    for (const shop of isOdd ? SHOPS : SHOPS.toReversed()) {
      closed[kind][shop] = await perSecond(stage, stage.shops[shop], kind);
    }
  }
  return { ...own, beside, createsPerSecond, closed };
}

async function measure(stage: Stage): Promise<Round[]> {
  await besideCreates(stage, WARM_UP_MS);
  for (const kind of KINDS) await perSecond(stage, stage.shops.without, kind);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(stage, round));
  return rounds;
}

const SHARES = [0.5, 0.95, 0.99];

function costOf(rounds: Round[]): string {
  const server = median(rounds.map(({ serverUs }) => serverUs));
  return `${server.toFixed(0)} + ${median(rounds.map(({ databaseUs }) => databaseUs)).toFixed(0)}`;
}

function summarise(rounds: Round[]): string {
  const cells = (times: (round: Round) => number[]) => {
    const sorted = rounds.flatMap(times);
    return SHARES.map((share) => percentileOf(sorted, share).toFixed(1));
  };
  const row = (name: string, timesOf: (times: HookTimes) => number[]) => [
    name,
    ...cells(({ alone }) => timesOf(alone)),
    ...cells(({ beside }) => timesOf(beside)),
  ];
  const headings = ['alone, p50 ms', 'p95 ms', 'p99 ms', 'beside creates, p50 ms', 'p95 ms'];
  const hookRows = [
    [`hooks, ${HOOKS_PER_SECOND} a second`, ...headings, 'p99 ms'],
    ...HOOKS.map((hook) => row(hook, (times) => times[hook])),
    row('all', allOf),
  ];
  const rateRows = KINDS.map((kind) => [
    `${kind === 'create' ? 'creates' : 'statuses'} a second`,
    ...SHOPS.map((shop) => median(rounds.map(({ closed }) => closed[kind][shop])).toFixed(0)),
  ]);
  const costs = ['processor time of a hook, server + database, µs', costOf(rounds)];
  return [aligned(hookRows), aligned([['', ...SHOPS], ...rateRows]), costs.join('  ')].join('\n\n');
}

function judge(rounds: Round[]): Verdict[] {
  const p95s = rounds.map(({ beside }) => percentileOf(allOf(beside), 0.95));
  const rates = rounds.map((round) => round.createsPerSecond / CREATES_PER_SECOND);
  return [
    {
      name: `hook p95 beside ${CREATES_PER_SECOND} creates a second, ms`,
      measured: median(p95s),
      spread: spreadOf(p95s),
      bar: P95_MS,
      isLimit: true,
    },
    {
      name: `creates beside hooks ÷ ${CREATES_PER_SECOND} a second`,
      measured: median(rates),
      spread: spreadOf(rates),
      bar: LEAST_OF_RATE,
      isLimit: false,
    },
    ...KINDS.map((kind) => {
      const ratios = rounds.map(({ closed }) => {
        return closed[kind]['with accounts'] / closed[kind].without;
      });
      return {
        name: `${kind} with accounts at acquirers ÷ without`,
        measured: median(ratios),
        spread: spreadOf(ratios),
        bar: LEAST_OF_OTHER,
        isLimit: false,
      };
    }),
  ];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  // The web opens the credentials that are sealed here: both read the key in the folder.
  process.env.DATA_DIR = folder;
  await buildWhenStale();
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 2);
  const [shop, other] = [await createRestMerchant(pool), await createRestMerchant(pool)];
  const payable = await connect(pool, shop.id);
  const shops = {
    'with accounts': {
      headers: shop.sandbox,
      invoiceIds: await seed(pool, shop.id, 'shop', STATUS_INVOICES),
    },
    without: {
      headers: other.sandbox,
      invoiceIds: await seed(pool, other.id, 'other', STATUS_INVOICES),
    },
  };
  await pool.query('VACUUM ANALYZE');
  await pool.end();
  const options = { databaseUrl: postgres.url, poolSize: 10, folder };
  const server = await startGateway({ ...options, coalesce: 'on' });
  const load = startLoadGenerator();
  const hooks = new HookLoad(server.port, payable);
  try {
    const rounds = await measure({ postgresPid: postgres.pid, shops, server, load, hooks });
    const verdicts = judge(rounds);
    say(`\n${summarise(rounds)}\n\n${verdictTable(verdicts)}\n`);
    keep('hooks', { rounds, verdicts });
    settle(verdicts);
  } finally {
    await hooks.close();
    load.stop();
    await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
