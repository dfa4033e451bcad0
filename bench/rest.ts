// `npm run bench [-- --quick]`: the REST API beside the least that could do the same.
//
// One run, one machine, one PostgreSQL of its own with fsync on. Three variants take
// turns, round by round: (a) the statements alone, (b) a bare node:http + pg server
// with the same validation and a statement a request, (c) the gateway's `web` process
// with its production settings. What counts is the ratio within a round: absolute
// figures move with the machine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../server/db/embedded.ts';
import { applyMigrations } from '../server/db/migrate.ts';
import { openPool } from '../server/db/pool.ts';
import { buildWhenStale } from '../server/supervisor/build.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import type { LoadJob } from './load.ts';
import {
  type LoadGenerator,
  type Server,
  startBare,
  startGateway,
  startLoadGenerator,
} from './processes.ts';
import { processorTimeMs } from './processor-time.ts';
import { type Kind, medianRatio, type Sample, summarise } from './samples.ts';
import {
  SEEDED_INVOICES,
  type StatementRunner,
  seedInvoices,
  statementRunner,
} from './statements.ts';

const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 3 : 7;
const DURATION_MS = isQuick ? 2_000 : 4_000;
const CONNECTIONS = 32;
const POOL_SIZE = 10;
const KINDS: Kind[] = ['create', 'status'];
const BARS = { create: 0.85, status: 0.7 };

type Bench = {
  statements: StatementRunner;
  servers: { bare: Server; gateway: Server };
  load: LoadGenerator;
  postgresPid: number;
  headers: { [name: string]: string };
};

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function measureServer(bench: Bench, server: Server, kind: Kind, durationMs = DURATION_MS) {
  const job: LoadJob = {
    kind,
    port: server.port,
    connections: CONNECTIONS,
    durationMs,
    headers: bench.headers,
    invoiceIds: Array.from({ length: SEEDED_INVOICES }, (_, index) => `inv_bench_${index + 1}`),
  };
  const before = [processorTimeMs(server.pid), processorTimeMs(bench.postgresPid)];
  const result = await bench.load.run(job);
  const after = [processorTimeMs(server.pid), processorTimeMs(bench.postgresPid)];
  const perRequestUs = (index: 0 | 1) =>
    (((after[index] ?? Number.NaN) - (before[index] ?? Number.NaN)) / result.requests) * 1000;
  return {
    perSecond: (result.requests / result.durationMs) * 1000,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    serverUs: perRequestUs(0),
    databaseUs: perRequestUs(1),
  };
}

/** Each variant once; who begins changes from round to round. */
async function measureRound(bench: Bench, kind: Kind, round: number): Promise<Sample[]> {
  const variants: (() => Promise<Sample>)[] = [
    async () => ({
      variant: 'statements',
      kind,
      round,
      perSecond: await bench.statements.run(kind, DURATION_MS),
    }),
    async () => ({
      variant: 'bare',
      kind,
      round,
      ...(await measureServer(bench, bench.servers.bare, kind)),
    }),
    async () => ({
      variant: 'gateway',
      kind,
      round,
      ...(await measureServer(bench, bench.servers.gateway, kind)),
    }),
  ];
  const samples: Sample[] = [];
  for (let turn = 0; turn < variants.length; turn++) {
    const measure = variants[(turn + round) % variants.length];
    if (measure) samples.push(await measure());
  }
  return samples;
}

async function warmUp(bench: Bench): Promise<void> {
  for (const kind of KINDS) {
    for (const server of Object.values(bench.servers)) {
      await measureServer(bench, server, kind, DURATION_MS / 2);
    }
  }
}

async function prepare(folder: string) {
  say('Preparing: production build, PostgreSQL with fsync on, both servers …');
  await buildWhenStale();
  const postgres = await startEmbedded({ dataDir: folder, durability: 'safe' });
  await applyMigrations(postgres.url);
  const pool = openPool(postgres.url, 1);
  const merchant = await createRestMerchant(pool);
  await seedInvoices(pool, merchant.id);
  await pool.query('VACUUM ANALYZE');
  await pool.end();
  const token = merchant.sandbox.authorization.slice('Bearer '.length);
  const bare = await startBare({
    databaseUrl: postgres.url,
    poolSize: POOL_SIZE,
    merchantId: merchant.id,
    token,
  });
  const gateway = await startGateway({ databaseUrl: postgres.url, poolSize: POOL_SIZE, folder });
  const bench: Bench = {
    statements: statementRunner(postgres.url, merchant.id, folder),
    servers: { bare, gateway },
    load: startLoadGenerator(),
    postgresPid: postgres.pid,
    headers: { ...merchant.sandbox },
  };
  const stop = async () => {
    bench.load.stop();
    for (const server of [bare, gateway]) server.stop();
    await postgres.stop();
  };
  return { bench, stop };
}

function describeMeasurement(bench: Bench): string[] {
  return [
    `${ROUNDS} rounds of ${DURATION_MS / 1000} s for each variant in turn; medians of the rounds, ratios within a round.`,
    `${CONNECTIONS} keep-alive connections from a process of its own on the same machine (${cpus().length} processors).`,
    `PostgreSQL 18 with fsync and synchronous_commit on; ${POOL_SIZE} database connections a server.`,
    `(a) statements: ${bench.statements.name}, no HTTP.`,
    '(b) bare: node:http + pg, one token in memory, the same validation, one named statement a request, no log.',
    '(c) gateway: `npm run web` as it runs in production, log to a file; only its rate limit is lifted.',
    'µs: processor time a request of the server and of PostgreSQL (Linux only), steadier than requests a second.',
  ];
}

async function main(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const { bench, stop } = await prepare(folder);
  const samples: Sample[] = [];
  try {
    await warmUp(bench);
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of KINDS) samples.push(...(await measureRound(bench, kind, round)));
      say(`round ${round + 1} of ${ROUNDS}`);
    }
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const how = describeMeasurement(bench);
  say(`\n${summarise(samples)}\n\n${how.join('\n')}\n`);
  const ratios = {
    create: medianRatio(samples, 'create', 'bare'),
    status: medianRatio(samples, 'status', 'bare'),
  };
  for (const kind of KINDS) {
    const verdict = ratios[kind] >= BARS[kind] ? 'met' : 'MISSED';
    say(`${kind}: ${ratios[kind].toFixed(2)} of bare; bar ${BARS[kind]}: ${verdict}`);
  }
  mkdirSync('bench/results', { recursive: true });
  const at = new Date().toISOString();
  const file = `bench/results/rest-${at.replaceAll(/[:.]/g, '-')}.json`;
  writeFileSync(file, `${JSON.stringify({ at, how, bars: BARS, ratios, samples }, null, 2)}\n`);
  say(`written: ${file}`);
  return KINDS.every((kind) => ratios[kind] >= BARS[kind]);
}

if (!(await main())) process.exitCode = 1;
