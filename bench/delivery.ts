// Callbacks a second, as a ratio to plain undici posting the same bytes without a database.
// Everything but the worker's log is real: PostgreSQL with fsync on; the receiver in its own
// process; the worker's pump, limited to plain undici's number in flight (its own limit would be
// thousands; `burst` measures the worker as it is). Both send from this process to the same
// receiver, both warmed up; they run in turn and medians are compared, since absolute figures vary
// with the machine. The gateway's time runs from its first claim to the last recorded result.
//
//   npm run bench -- delivery [--quick]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { Agent } from 'undici';
import type { DeliveryContext } from '../server/callbacks/queue/deliver.ts';
import { Pump } from '../server/callbacks/queue/pump.ts';
import { openPool } from '../server/db/pool.ts';
import { insertDue, testContext } from '../server/testing/callbacks.ts';
import { openDatabase } from './database.ts';
import { processorTimeMs } from './processor-time.ts';
import { median } from './samples.ts';
import { aligned, keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const POOL_SIZE = 10;
// The gateway's part is more code than plain undici's, and V8 compiles it for long: after 2,000
// callbacks it takes a third more processor time than in the end, after 20,000 a tenth more.
const WARM_UP = quick ? 4_000 : 60_000;
// Enough merchants that the limit of ten for each, from claim to recorded result, does not affect
// the measurement.
const MERCHANTS = 64;

type Scenario = {
  name: string;
  inFlight: number;
  count: number;
  delayMs: number;
  rounds: number;
  /** The smallest acceptable ratio. */
  bar: number;
};

const HEADINGS = ['', 'per second', 'spread', 'sender µs', 'database µs', 'receiver µs'];

const SCENARIOS: Scenario[] = [
  {
    name: 'quick receiver',
    inFlight: 64,
    count: quick ? 10_000 : 24_000,
    delayMs: 0,
    rounds: quick ? 2 : 11,
    bar: 0.45,
  },
  {
    name: 'receiver of 100 ms',
    inFlight: 256,
    count: quick ? 5_000 : 12_000,
    delayMs: 100,
    rounds: quick ? 1 : 3,
    bar: 0.8,
  },
];

async function startReceiver(delayMs: number): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(new URL('./receiver.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DELAY_MS: String(delayMs) },
  });
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}/callback`, child };
}

/** The processes other than this one, which sends. */
type Pids = { receiver: number; postgres: number };
type Processes = Pids & { sender: number };
type Run = { perSecond: number; processorUs: Processes };

/** Measures the time of a run and each process's processor time for one callback. */
async function timed(count: number, pids: Pids, run: () => Promise<void>): Promise<Run> {
  const ownMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const spent = (): Processes => ({
    sender: ownMs(),
    receiver: processorTimeMs(pids.receiver),
    postgres: processorTimeMs(pids.postgres),
  });
  const before = spent();
  const begun = performance.now();
  await run();
  const perSecond = (count / (performance.now() - begun)) * 1000;
  const after = spent();
  const each = (name: keyof Processes) => Math.round(((after[name] - before[name]) * 1000) / count);
  const processorUs = {
    sender: each('sender'),
    receiver: each('receiver'),
    postgres: each('postgres'),
  };
  return { perSecond, processorUs };
}

/** Plain undici: `inFlight` loops that post the same bytes and read the answers. */
async function postPlainly(url: string, scenario: Scenario, pids: Pids): Promise<Run> {
  const { inFlight, count } = scenario;
  const agent = new Agent({ connections: inFlight });
  const { origin, pathname } = new URL(url);
  const body = Buffer.from(
    `{"invoice_id":"inv_0000000000000000_0000000","status":4,"amount":1500}`,
  );
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payment-gateway-callbacks/1.0',
    'webhook-id': 'msg_0000000000000000_0000000',
    'webhook-timestamp': '1790000000',
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  };
  let left = count;
  const loop = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
      const parsed = (await answer.body.json()) as { success: boolean };
      if (parsed.success !== true) throw new Error('not accepted');
    }
  };
  const run = await timed(count, pids, async () => {
    await Promise.all(Array.from({ length: inFlight }, loop));
  });
  await agent.close();
  return run;
}

async function seed(pool: pg.Pool, url: string, { count }: Scenario): Promise<void> {
  const due = { environment: 'production', url, at: new Date() } as const;
  await pool.query('TRUNCATE callback_attempts, callbacks, invoice_events, invoices CASCADE');
  // The checkpoint precedes the rows, as in real use: a callback is sent moments after its row was
  // written, so its pages are seldom the first to change after a checkpoint.
  await pool.query('CHECKPOINT');
  for (let i = 0; i < MERCHANTS; i++) {
    const merchantId = `mer_${i}`;
    await pool.query('INSERT INTO merchants (id, name) VALUES ($1, $1) ON CONFLICT DO NOTHING', [
      merchantId,
    ]);
    await insertDue(pool, { ...due, merchantId, count: Math.ceil(count / MERCHANTS) });
  }
  await pool.query('VACUUM ANALYZE callbacks');
}

/** The pump, from its start to the last recorded result. */
async function deliver(pool: pg.Pool, url: string, scenario: Scenario, pids: Pids): Promise<Run> {
  await seed(pool, url, scenario);
  const total = Math.ceil(scenario.count / MERCHANTS) * MERCHANTS;
  let left = total;
  let finish: () => void = () => undefined;
  const allAnswered = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const context: DeliveryContext = testContext(pool, {
    // The worker writes a line of its log here.
    attempts: {
      record: () => {
        left -= 1;
        if (left === 0) finish();
      },
    },
    onError: (error) => process.stderr.write(`${error}\n`),
  });
  const run = await timed(total, pids, async () => {
    const pump = new Pump(context, { maxInFlight: scenario.inFlight });
    await allAnswered;
    await pump.stop(10_000);
  });
  await context.sender.close();
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM callbacks WHERE state = 'delivered' AND attempt_count = 1`,
  );
  if (rows[0]?.count !== total) throw new Error(`only ${rows[0]?.count} of ${total} delivered`);
  return run;
}

function row(name: string, runs: Run[]): string[] {
  const of = (process: keyof Processes) =>
    median(runs.map((run) => run.processorUs[process])).toFixed(0);
  const speeds = runs.map(({ perSecond }) => Math.round(perSecond));
  const spread = `${Math.min(...speeds)} to ${Math.max(...speeds)}`;
  return [name, median(speeds).toFixed(0), spread, of('sender'), of('postgres'), of('receiver')];
}

/** Ratios to plain undici within a round, or to the rate that the receiver's own time allows. */
function judge({ bar, name, inFlight, delayMs }: Scenario, plain: Run[], delivery: Run[]): Verdict {
  const ceiling = (inFlight * 1000) / delayMs;
  const ratios = delivery.map(({ perSecond }, round) =>
    delayMs > 0 ? perSecond / ceiling : perSecond / (plain[round]?.perSecond ?? Number.NaN),
  );
  const to = delayMs > 0 ? `what ${inFlight} in flight allow` : 'plain undici';
  return {
    name: `callbacks, ${name} ÷ ${to}`,
    measured: median(ratios),
    spread: spreadOf(ratios),
    bar,
    isLimit: false,
  };
}

async function measure(pool: pg.Pool, postgres: number, scenario: Scenario) {
  const { url, child } = await startReceiver(scenario.delayMs);
  const pids = { receiver: child.pid ?? 0, postgres };
  const plain: Run[] = [];
  const delivery: Run[] = [];
  const warmUp = { ...scenario, count: WARM_UP };
  await postPlainly(url, warmUp, pids);
  await deliver(pool, url, warmUp, pids);
  for (let round = 0; round < scenario.rounds; round++) {
    plain.push(await postPlainly(url, scenario, pids));
    delivery.push(await deliver(pool, url, scenario, pids));
    say(`${scenario.name}: round ${round + 1} of ${scenario.rounds}`);
  }
  child.disconnect();
  await once(child, 'exit');
  const { name } = scenario;
  const rows = [row(`${name}, plain undici`, plain), row(`${name}, gateway`, delivery)];
  return { rows, verdict: judge(scenario, plain, delivery) };
}

async function main(): Promise<void> {
  const server = await openDatabase();
  try {
    const pool = openPool(server.url, POOL_SIZE);
    const measured = [];
    for (const scenario of SCENARIOS) measured.push(await measure(pool, server.pid, scenario));
    await pool.end();
    const rows = measured.flatMap((each) => each.rows);
    const verdicts = measured.map(({ verdict }) => verdict);
    say(`\n${aligned([HEADINGS, ...rows])}\n\n${verdictTable(verdicts)}\n`);
    keep('delivery', { scenarios: SCENARIOS, headings: HEADINGS, rows, verdicts });
    settle(verdicts);
  } finally {
    await server.stop();
  }
}

await main();
