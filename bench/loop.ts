// How long one request blocks the event loop of `web`. The largest and most awkward requests of
// each kind are sent one at a time, while another caller asks for a final status, which needs no
// database, as fast as it is answered. That caller's longest wait is the time that the request
// blocked, plus the machine's noise, which is measured too, by asking with nothing beside it.
//
//   npm run bench -- loop [--quick]
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../server/db/pool.ts';
import { buildWhenStale } from '../server/process/build.ts';
import { openDatabase } from './database.ts';
import { createLargest, type Heavy, heavyRequests, openShop, type Shop } from './loop-requests.ts';
import { startGateway, startLoadGenerator } from './processes.ts';
import { median } from './samples.ts';
import { aligned, keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const ROWS = quick ? 2_000 : 50_000;
// A first request compiles what it needs, and loads its page.
const WARM_UP = quick ? 2 : 10;
const ROUNDS = quick ? 2 : 9;
const BAR_MS = 50;
/** Before the request is sent, and after its answer. */
const AROUND_MS = 100;
const AT_MOST_MS = 60_000;

/** Sends one request and reads its whole answer. */
function send(port: number, { name, method, path, headers, body, status }: Heavy): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === status) resolve();
        else reject(new Error(`${name} was answered ${answer.statusCode}, not ${status}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Another caller's longest wait during `work`. */
async function longestWaitMs(
  {
    port,
    shop,
    generator,
  }: { port: number; shop: Shop; generator: ReturnType<typeof startLoadGenerator> },
  work: () => Promise<void>,
): Promise<number> {
  const look = generator.run({
    kind: 'status',
    port,
    connections: 1,
    durationMs: AT_MOST_MS,
    headers: shop.credentials,
    invoiceIds: [shop.finalId],
  });
  await sleep(AROUND_MS);
  await work();
  await sleep(AROUND_MS);
  generator.finish();
  return (await look).maxMs;
}

function verdictOf(name: string, waitsMs: number[]): Verdict {
  return {
    name: `event loop held by ${name}, ms`,
    measured: median(waitsMs),
    spread: spreadOf(waitsMs),
    bar: BAR_MS,
    isLimit: true,
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await buildWhenStale();
  const postgres = await openDatabase();
  const pool = openPool(postgres.url, 2);
  const shop = await openShop(pool, ROWS);
  const server = await startGateway({
    databaseUrl: postgres.url,
    poolSize: 10,
    folder,
    coalesce: 'on',
  });
  const generator = startLoadGenerator();
  const watched = { port: server.port, shop, generator };
  try {
    const heavy = heavyRequests(shop, await createLargest(server.port, shop));
    const noiseMs: number[] = [];
    const waitsMs = heavy.map((): number[] => []);
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const [index, each] of heavy.entries()) {
        const nextOne = each.next();
        if (round < 0) await send(server.port, nextOne);
        else waitsMs[index]?.push(await longestWaitMs(watched, () => send(server.port, nextOne)));
      }
      if (round >= 0) noiseMs.push(await longestWaitMs(watched, () => sleep(AROUND_MS)));
    }
    const verdicts = heavy.map(({ name }, index) => verdictOf(name, waitsMs[index] ?? []));
    const noise = [['nothing beside it waits, ms', median(noiseMs).toFixed(2), spreadOf(noiseMs)]];
    say(`\n${aligned(noise)}\n\n${verdictTable(verdicts)}\n`);
    keep('loop', { noiseMs, verdicts });
    settle(verdicts);
  } finally {
    generator.stop();
    await server.stop();
    await pool.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
