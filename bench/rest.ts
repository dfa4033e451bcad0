// The REST API beside the simplest and the ordinary way to do the same.
//
//   npm run bench -- rest [--quick] [--profile] [--chart]
//
// One run, one machine, one separate PostgreSQL with fsync on. Five variants take turns, round by
// round: (a) the statements alone, (b) a bare node:http + pg server with the same validation and
// one statement a request, (c) a Next application with Prisma, (d) the gateway's `web` process with
// its production settings and one statement a request, (e) the same with default settings, which
// share statements. The ratio within a round counts: absolute figures vary with the machine. At the
// end (b) and (e) get requests at a fixed rate.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartOf } from './chart.ts';
import type { LoadJob } from './load.ts';
import { type Bench, prepare } from './prepare.ts';
import type { Server } from './processes.ts';
import { processorTimeMs } from './processor-time.ts';
import { judge, summarise } from './report.ts';
import { KINDS, type Kind, median, type Sample, type SteadySample, samplesOf } from './samples.ts';
import { SEEDED_INVOICES } from './statements.ts';
import { keep, say, settle } from './verdicts.ts';

const isQuick = process.argv.includes('--quick');
// Many short rounds: a disturbance of the machine for seconds then affects few of them.
const ROUNDS = isQuick ? 2 : 13;
const DURATION_MS = isQuick ? 600 : 1_000;
const WARM_UP_MS = isQuick ? 400 : 1_500;
const STEADY_MS = isQuick ? 800 : 3_000;
const CONNECTIONS = 32;
const POOL_SIZE = 10;
// A share of the bare server's highest rate: both can bear it, and a queue shows.
const STEADY_SHARE = 0.6;
const CHART = 'public/readme/bench.svg';

function jobOf(bench: Bench, server: Server, kind: Kind): LoadJob {
  return {
    kind,
    port: server.port,
    connections: CONNECTIONS,
    durationMs: DURATION_MS,
    headers: bench.headers,
    invoiceIds: Array.from({ length: SEEDED_INVOICES }, (_, index) => `inv_bench_${index + 1}`),
  };
}

async function measureServer(bench: Bench, server: Server, kind: Kind) {
  const before = [processorTimeMs(server.pid), processorTimeMs(bench.postgresPid)];
  const result = await bench.load.run(jobOf(bench, server, kind));
  const after = [processorTimeMs(server.pid), processorTimeMs(bench.postgresPid)];
  const perRequestUs = (index: 0 | 1) =>
    (((after[index] ?? Number.NaN) - (before[index] ?? Number.NaN)) / result.requests) * 1000;
  return {
    perSecond: (result.requests / result.durationMs) * 1000,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    p999Ms: result.p999Ms,
    serverUs: perRequestUs(0),
    databaseUs: perRequestUs(1),
  };
}

/** Measures each variant once; the first one changes from round to round. */
async function measureRound(bench: Bench, kind: Kind, round: number): Promise<Sample[]> {
  const turns: (() => Promise<Sample>)[] = [
    async () => {
      const perSecond = await bench.statements.run(kind, DURATION_MS);
      return { variant: 'statements', kind, round, perSecond };
    },
  ];
  for (const variant of ['bare', 'next', 'alone', 'gateway'] as const) {
    turns.push(async () => {
      const measured = await measureServer(bench, bench.servers[variant], kind);
      return { variant, kind, round, ...measured };
    });
  }
  const samples: Sample[] = [];
  for (let turn = 0; turn < turns.length; turn++) {
    const measure = turns[(turn + round) % turns.length];
    if (measure) samples.push(await measure());
  }
  return samples;
}

/** Latencies of both at one rate, which the slower of them can bear. */
async function measureSteady(bench: Bench, samples: Sample[]): Promise<SteadySample[]> {
  const steady: SteadySample[] = [];
  for (const kind of KINDS) {
    const most = median(samplesOf(samples, kind, 'bare').map(({ perSecond }) => perSecond));
    const arrivalsPerSecond = Math.round(most * STEADY_SHARE);
    for (const variant of ['bare', 'gateway'] as const) {
      const { p50Ms, p99Ms, p999Ms } = await bench.load.run({
        ...jobOf(bench, bench.servers[variant], kind),
        durationMs: STEADY_MS,
        perSecond: arrivalsPerSecond,
      });
      steady.push({ variant, kind, arrivalsPerSecond, p50Ms, p99Ms, p999Ms });
    }
  }
  return steady;
}

async function warmUp(bench: Bench): Promise<void> {
  for (const kind of KINDS) {
    for (const server of Object.values(bench.servers)) {
      await bench.load.run({ ...jobOf(bench, server, kind), durationMs: WARM_UP_MS });
    }
  }
}

function describeMeasurement(bench: Bench): string[] {
  return [
    `${ROUNDS} rounds of ${DURATION_MS / 1000} s for each variant in turn; medians of the rounds with the lowest and the highest, ratios within a round.`,
    `${CONNECTIONS} keep-alive connections from a process of its own on the same machine (${cpus().length} processors).`,
    `PostgreSQL 18 with fsync and synchronous_commit on; ${POOL_SIZE} database connections a server.`,
    `statements alone: ${bench.statements.name}, no HTTP.`,
    'node:http + pg: one token in memory, the same validation, one named statement a request, no log.',
    'Next + Prisma: a Next application with route handlers, the Prisma client and the same validation.',
    'gateway: `npm run web` as it runs in production, log to a file; only its rate limit is lifted.',
    'steady arrivals: requests become due at a fixed rate whatever became of earlier ones, and latency counts from then.',
    'µs: processor time a request of the server and of PostgreSQL (Linux only), steadier than requests a second.',
  ];
}

type Measured = { samples: Sample[]; steady: SteadySample[] };

async function measure(bench: Bench, end: () => Promise<void>): Promise<Measured> {
  const samples: Sample[] = [];
  try {
    await warmUp(bench);
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of KINDS) samples.push(...(await measureRound(bench, kind, round)));
      say(`round ${round + 1} of ${ROUNDS}`);
    }
    return { samples, steady: await measureSteady(bench, samples) };
  } finally {
    await end();
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  say('Preparing: production builds, PostgreSQL with fsync on, the servers …');
  const { bench, stop } = await prepare({ folder, poolSize: POOL_SIZE });
  const { samples, steady } = await measure(bench, async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const how = describeMeasurement(bench);
  const verdicts = judge(samples);
  say(`\n${summarise(samples, steady, verdicts)}\n\n${how.join('\n')}\n`);
  keep('rest', { how, verdicts, steady, samples });
  if (process.argv.includes('--chart')) {
    writeFileSync(CHART, chartOf(samples));
    say(`written: ${CHART}`);
  }
  settle(verdicts);
}

await main();
