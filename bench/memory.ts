// Memory of `web` in production mode: idle, and its growth over 200,000 requests. Only memory in
// use after a collection is measured: V8 collects garbage that lived for a while only when the heap
// has grown by as much again, so a reading in between depends on chance.
//
//   npm run bench -- memory [--quick]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../server/db/pool.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { createRestMerchant } from '../server/testing/rest.ts';
import { openDatabase } from './database.ts';
import type { LoadJob } from './load.ts';
import {
  COLLECT_SIGNAL,
  residentMiB,
  type Server,
  startGateway,
  startLoadGenerator,
} from './processes.ts';
import { median, trend } from './samples.ts';
import { SEEDED_INVOICES, seedInvoices } from './statements.ts';
import { keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const WARM_UP = quick ? 2_000 : 60_000;
const REQUESTS = quick ? 6_000 : 200_000;
const SETTLE_MS = quick ? 500 : 5_000;
const CHUNK_MS = quick ? 200 : 1_000;
const CONNECTIONS = 32;
const POOL_SIZE = 10;
/** The growth may be a tenth of the idle limit. */
const BARS = { idleMiB: 250, growthMiB: 25 };

/** In MiB after this many requests: the heap after a collection, the memory after and before. */
type Point = { requests: number; neededMiB: number; residentMiB: number; fullMiB: number };

/** The process's own figure of its heap after a collection. */
async function neededMiB({ port, pid }: Server): Promise<number> {
  process.kill(pid, COLLECT_SIGNAL);
  const answer = await fetch(`http://127.0.0.1:${port}/api/metrics`);
  const found = /^nodejs_heap_size_used_bytes (\S+)$/m.exec(await answer.text());
  return Number(found?.[1]) / 2 ** 20;
}

/** Creates and reads in turn, until this many were answered; measures after each chunk. */
async function loaded(
  server: Server,
  headers: LoadJob['headers'],
  until: number,
): Promise<Point[]> {
  const load = startLoadGenerator();
  const invoiceIds = Array.from({ length: SEEDED_INVOICES }, (_, at) => `inv_bench_${at + 1}`);
  const common = { port: server.port, connections: CONNECTIONS, headers, invoiceIds };
  const points: Point[] = [];
  let requests = 0;
  for (let chunk = 0; requests < until; chunk++) {
    const kind = chunk % 2 === 0 ? 'create' : 'status';
    requests += (await load.run({ ...common, kind, durationMs: CHUNK_MS })).requests;
    const fullMiB = residentMiB(server.pid);
    const needed = await neededMiB(server);
    points.push({ requests, neededMiB: needed, residentMiB: residentMiB(server.pid), fullMiB });
  }
  load.stop();
  return points;
}

function judge(idle: number[], points: Point[]): Verdict[] {
  const total = points.at(-1)?.requests ?? 0;
  const needed = points.map((point) => point.neededMiB);
  const perRequest = trend(points.map(({ requests, neededMiB: y }) => ({ x: requests, y })));
  return [
    {
      name: 'memory of `web` idle, MiB',
      measured: median(idle),
      spread: spreadOf(idle),
      bar: BARS.idleMiB,
      isLimit: true,
    },
    {
      name: `its growth over ${total.toLocaleString('en')} requests, MiB by the trend`,
      measured: perRequest * total,
      spread: spreadOf(needed),
      bar: BARS.growthMiB,
      isLimit: true,
    },
  ];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await buildWhenStale();
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 1);
  const merchant = await createRestMerchant(pool);
  await seedInvoices(pool, merchant.id);
  await pool.end();
  const options = { databaseUrl: postgres.url, poolSize: POOL_SIZE, folder };
  const server = await startGateway({ ...options, coalesce: 'on', collectsOnSignal: true });
  try {
    const idle: number[] = [];
    for (let second = 0; second < 5; second++) {
      await sleep(SETTLE_MS / 5);
      idle.push(residentMiB(server.pid));
    }
    say(`idle: ${median(idle).toFixed(0)} MiB`);
    const headers = { ...merchant.sandbox };
    const warm = (await loaded(server, headers, WARM_UP)).at(-1);
    say(`after ${WARM_UP.toLocaleString('en')} requests: ${warm?.residentMiB.toFixed(0)} MiB`);
    const points = await loaded(server, headers, REQUESTS);
    const verdicts = judge(idle, points);
    const most = Math.max(...points.map((point) => point.fullMiB));
    say(`the most it took under load: ${most.toFixed(0)} MiB`);
    say(`\n${verdictTable(verdicts)}\n`);
    keep('memory', { idle, warm, points, verdicts });
    settle(verdicts);
  } finally {
    await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
