// What the log of events costs: creates through the door of a gateway whose database keeps it, as a
// ratio to one whose database does not, and cancels with and without the part of their statement
// that writes it. All in turn.
//
//   npm run bench -- event-log [--quick]
//
// A create writes no event: `invoice.created` is read from the invoice, so that it pays for a number
// in its row and for an entry in an index. A change of a status writes one row.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { openPool, type Queryable } from '../server/db/pool.ts';
import { transitionMany } from '../server/invoices/transition.ts';
import { newId } from '../server/lib/ids.ts';
import type { Tenant } from '../server/merchants/types.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { createMerchantFixture } from '../server/testing/factories.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import { type BenchDatabase, openDatabase, shareServer } from './database.ts';
import { type LoadGenerator, type Server, startGateway, startLoadGenerator } from './processes.ts';
import { processorTimeMs } from './processor-time.ts';
import { median } from './samples.ts';
import { aligned, keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 2 : 13;
const DURATION_MS = quick ? 600 : 2_000;
const WARM_UP_MS = quick ? 600 : 3_000;
const CONNECTIONS = 32;
const POOL_SIZE = 10;
/** The cancels of a turn, in sets as large as shared statements typically are. */
const SETS = quick ? 10 : 100;
const SET = 16;
const BAR = 0.9;

const EVENT_OF_CHANGE = /, event AS \(\s*INSERT INTO events[^)]*\)[^)]*\)[^)]*FROM changed c\s*\)/;

const SEED = `
  INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor, currency,
    description, positions, success_url, error_url, callback_url, end_date, created_at,
    status_changed_at)
  SELECT id, $2, 'sandbox', id, 4200, 'USD', 'Bench', '[]', 'http://localhost/s',
    'http://localhost/e', 'http://127.0.0.1:9/callback', now() + interval '1 day', now(), now()
  FROM unnest($1::text[]) id`;

const SIDES = ['with', 'without'] as const;
type PerSide<T> = Record<(typeof SIDES)[number], T>;

/** `databaseUs`: PostgreSQL's processor time for one, in microseconds. */
type Measured = { perSecond: number; databaseUs: number };
const KINDS = ['creates', 'cancels'] as const;
type Round = Record<(typeof KINDS)[number], PerSide<Measured>>;

type Shop = { headers: { [name: string]: string }; server: Server };
type Cancels = { pool: pg.Pool; tenant: Tenant };
type Stage = {
  postgresPid: number;
  shops: PerSide<Shop>;
  load: LoadGenerator;
  /** In a database that no shop creates in, so that neither is slowed by them. */
  cancels: Cancels;
};

/** Runs statements without the part that writes an event. */
function withoutEvents(pool: pg.Pool): Queryable {
  return {
    query: (config) => {
      if (typeof config === 'string') throw new Error('only named statements are expected');
      const text = config.text.replace(EVENT_OF_CHANGE, '');
      if (text === config.text) throw new Error('The statement writes no event.');
      return pool.query({ ...config, name: `${config.name}_unlogged`, text });
    },
  };
}

async function openShop(
  { url }: BenchDatabase,
  folder: string,
  { isLogged }: { isLogged: boolean },
): Promise<Shop> {
  const pool = openPool(url, 1);
  const merchant = await createRestMerchant(pool);
  if (!isLogged) {
    // A create then stores no position, and the index of positions leaves its row out.
    await pool.query(`CREATE OR REPLACE FUNCTION event_position() RETURNS bigint LANGUAGE sql STABLE
      AS 'SELECT NULL::bigint'`);
  }
  await pool.end();
  const options = { databaseUrl: url, poolSize: POOL_SIZE, folder };
  const server = await startGateway({ ...options, coalesce: 'on' });
  return { headers: { ...merchant.sandbox }, server };
}

/** The requests of a load, and the time that they took. */
type Work = () => Promise<{ count: number; tookMs: number }>;

function creating(load: LoadGenerator, { server, headers }: Shop, durationMs: number): Work {
  return async () => {
    const job = { kind: 'create', port: server.port, connections: CONNECTIONS, headers } as const;
    const result = await load.run({ ...job, durationMs, invoiceIds: [] });
    return { count: result.requests, tookMs: result.durationMs };
  };
}

/** Cancels invoices that were made for it. */
async function canceling({ pool, tenant }: Cancels, db: Queryable): Promise<Work> {
  const now = new Date();
  const ids = Array.from({ length: SETS * SET }, () => newId('inv', now.getTime()));
  await pool.query(SEED, [ids, tenant.merchantId]);
  return async () => {
    const startMs = performance.now();
    for (let from = 0; from < ids.length; from += SET) {
      const context = { tenant, actor: { type: 'api' }, now } as const;
      const set = ids.slice(from, from + SET).map((invoiceId) => ({ invoiceId, ...context }));
      await transitionMany(db, 'cancel', set);
    }
    return { count: ids.length, tookMs: performance.now() - startMs };
  };
}

async function measureWork(postgresPid: number, work: Work): Promise<Measured> {
  const beforeMs = processorTimeMs(postgresPid);
  const { count, tookMs } = await work();
  const spentMs = processorTimeMs(postgresPid) - beforeMs;
  return { perSecond: (count * 1000) / tookMs, databaseUs: (spentMs * 1000) / count };
}

/** Measures each side of both once; which comes first changes from round to round. */
async function measureRound(stage: Stage, round: number): Promise<Round> {
  const { postgresPid, shops, load, cancels } = stage;
  const databases = { with: cancels.pool, without: withoutEvents(cancels.pool) };
  const created: Partial<PerSide<Measured>> = {};
  const canceled: Partial<PerSide<Measured>> = {};
  const sides = round % 2 === 0 ? SIDES : SIDES.toReversed();
  for (const side of sides) {
    created[side] = await measureWork(postgresPid, creating(load, shops[side], DURATION_MS));
  }
  for (const side of sides) {
    canceled[side] = await measureWork(postgresPid, await canceling(cancels, databases[side]));
  }
  return { creates: created, cancels: canceled } as Round;
}

async function measure(stage: Stage): Promise<Round[]> {
  for (const side of SIDES) await creating(stage.load, stage.shops[side], WARM_UP_MS)();
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured = await measureRound(stage, round);
    rounds.push(measured);
    const ratio = measured.creates.with.perSecond / measured.creates.without.perSecond;
    say(`round ${round + 1} of ${ROUNDS}: ${ratio.toFixed(2)}`);
  }
  return rounds;
}

function summarise(rounds: Round[]): string {
  const headings = SIDES.flatMap((side) => [`${side}, a second`, 'PostgreSQL µs']);
  const rows = KINDS.map((kind) => [
    kind,
    ...SIDES.flatMap((side) => {
      const of = (value: keyof Measured) => median(rounds.map((round) => round[kind][side][value]));
      return [of('perSecond').toFixed(0), of('databaseUs').toFixed(0)];
    }),
  ]);
  return aligned([['', ...headings], ...rows]);
}

/** The verdict on creates only: a change of a status is meant to write its row. */
function judge(rounds: Round[]): Verdict {
  const ratios = rounds.map(({ creates }) => creates.with.perSecond / creates.without.perSecond);
  return {
    name: 'creates with the log of events ÷ without',
    measured: median(ratios),
    spread: spreadOf(ratios),
    bar: BAR,
    isLimit: false,
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await buildWhenStale();
  const endServer = await shareServer();
  const databases = [await openDatabase(), await openDatabase(), await openDatabase()] as const;
  const pool = openPool(databases[2].url, 1);
  const load = startLoadGenerator();
  const opened: Shop[] = [];
  try {
    opened.push(await openShop(databases[0], folder, { isLogged: true }));
    opened.push(await openShop(databases[1], folder, { isLogged: false }));
    const [logged, unlogged] = opened;
    if (!logged || !unlogged) throw new Error('a gateway is missing');
    const postgresPid = databases[0].pid;
    const { sandbox } = await createMerchantFixture(pool);
    const cancels = { pool, tenant: sandbox.tenant };
    const shops = { with: logged, without: unlogged };
    const rounds = await measure({ postgresPid, shops, load, cancels });
    const verdict = judge(rounds);
    say(`\n${summarise(rounds)}\n\n${verdictTable([verdict])}\n`);
    keep('event-log', { rounds, verdict });
    settle([verdict]);
  } finally {
    load.stop();
    for (const { server } of opened) await server.stop();
    await pool.end();
    for (const database of databases) await database.stop();
    await endServer();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
