import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSigningSecret } from '../merchants/signing-secrets.ts';
import { childEnvironment } from '../settings/settings.ts';
import {
  ACCEPT,
  deliverOnce,
  openShop,
  type Shop,
  testContext,
  until,
} from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { type Collector, openCollector } from '../testing/telemetry/collector.ts';

const TEST_KEY = Buffer.alloc(32, 5).toString('base64');

let database: TestDatabase;
let merchant: MerchantFixture;
let shop: Shop;
let dataDir: string;
let collector: Collector;
const workers: ChildProcess[] = [];

beforeEach(async () => {
  // The worker must be able to open what is sealed here.
  vi.stubEnv('SECRETS_KEY', TEST_KEY);
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  await createSigningSecret(database.pool, {
    merchantId: merchant.id,
    environment: 'sandbox',
    now: new Date(),
  });
  shop = await openShop();
  collector = await openCollector();
  dataDir = mkdtempSync(join(tmpdir(), 'worker-test-'));
});

afterEach(async () => {
  for (const worker of workers.splice(0)) {
    if (worker.exitCode === null && worker.signalCode === null) {
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
  }
  await shop.close();
  await collector.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Running = { child: ChildProcess; output: () => string };

/** A real worker process that has not begun yet; its log goes here, or into an open file. */
function spawnWorker(
  variables: Record<string, string> = {},
  { log = 'pipe', isSupervised = true }: { log?: number | 'pipe'; isSupervised?: boolean } = {},
): Running {
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/worker/worker.ts'], {
    env: childEnvironment({
      DATABASE_URL: database.url,
      SECRETS_KEY: TEST_KEY,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      PUBLIC_URL: 'http://localhost:3000',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      ...variables,
    }),
    stdio: ['ignore', log, log, ...(isSupervised ? ['ipc' as const] : [])],
  });
  workers.push(child);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, output: () => text };
}

/** Resolves when it logs that it runs. */
async function startWorker(
  variables: Record<string, string> = {},
  isSupervised = true,
): Promise<Running> {
  const { child, output } = spawnWorker(variables, { isSupervised });
  await until(() => {
    if (child.exitCode !== null) throw new Error(output());
    return output().includes('worker started');
  }, 20_000);
  return { child, output };
}

function threadsOf({ pid = 0 }: ChildProcess): number[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map(Number) : [pid];
}

/** The second signal follows once the first was handled, and later than an echo of it. */
async function signalTwice(
  child: ChildProcess,
  output: () => string,
  [first, second]: [NodeJS.Signals, NodeJS.Signals],
): Promise<void> {
  child.kill(first);
  await until(() => output().includes('worker stopping'));
  await sleep(700);
  child.kill(second);
}

function invoiceDueIn(ms: number): Promise<string> {
  const now = new Date();
  return createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now,
    endDateMs: now.getTime() + ms,
    callbackUrl: shop.url,
  });
}

describe('worker', () => {
  test.each([
    ['warns', 'https://pay.example.com', 1],
    ['does not warn', 'http://localhost:3000', 0],
  ])('%s where merchants reach this machine by callbacks to %s', async (_, url, warnings) => {
    const { output } = await startWorker({ PUBLIC_URL: url, CALLBACK_NETWORK: 'local' });
    expect(output().match(/"warn".+CALLBACK_NETWORK is local/g) ?? []).toHaveLength(warnings);
  });

  test.runIf(process.platform === 'linux')(
    'works and ends in order though the disk of its log is full',
    async () => {
      const full = openSync('/dev/full', 'w');
      const { child } = spawnWorker({ LOG_LEVEL: 'trace' }, { log: full });
      closeSync(full);
      await invoiceDueIn(100);
      await until(() => shop.received.length === 1, 20_000);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );

  test('expires an invoice that nobody reads after its end date, not before, and tells the merchant', async () => {
    const { child, output } = await startWorker();
    // All of its threads yield to the web where both share processors.
    for (const thread of threadsOf(child)) expect(getPriority(thread)).toBeGreaterThanOrEqual(5);
    const lifeMs = 700;
    const endMs = Date.now() + lifeMs;
    await invoiceDueIn(lifeMs);
    await until(() => shop.received.length === 1);
    expect(Date.now()).toBeGreaterThan(endMs);
    expect(JSON.parse(shop.received[0]?.body.toString() ?? '')).toMatchObject({ status: 3 });
    child.kill('SIGTERM');
    // By then the delayed lines are out too.
    const [code] = await once(child, 'close');
    expect(code, output()).toBe(0);
    expect(output()).toMatch(/"outcome":"delivered".*"msg":"callback attempt"/);
    // Spans are sent five seconds later by default: these came because the process ended.
    expect(collector.spans).toMatchObject([
      { name: 'job expireDueInvoices', attributes: { 'gateway.count': 1 } },
      { name: 'callback attempt', attributes: { 'gateway.outcome': 'delivered' } },
    ]);
    expect(collector.resource).toMatchObject({ 'gateway.process': 'worker' });
  });

  test('told to end, finishes the attempt that is under way, records it once and sends it no more', async () => {
    await shop.close();
    let answer = (): void => undefined;
    shop = await openShop((...exchange) => {
      answer = () => ACCEPT(...exchange);
    });
    const { child, output } = await startWorker();
    const id = await invoiceDueIn(100);
    await until(() => shop.received.length === 1);
    const closed = once(child, 'close');
    // One signal is the terminal's, and a later one the supervisor's.
    await signalTwice(child, output, ['SIGINT', 'SIGTERM']);
    expect(child.exitCode, output()).toBeNull();
    answer();
    const [code] = await closed;
    expect(code, output()).toBe(0);
    const { rows } = await database.pool.query(
      `SELECT c.state, c.attempt_count, a.http_status FROM callbacks c
       JOIN callback_attempts a ON a.callback_id = c.id WHERE c.invoice_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ state: 'delivered', attempt_count: 1, http_status: 200 }]);
    // Long after the lease there is nothing left to send.
    const later = testContext(database.pool, { clock: () => new Date(Date.now() + 3_600_000) });
    const again = await deliverOnce(later, { now: later.clock(), limit: 10 });
    await later.sender.close();
    expect(again).toEqual({ attempted: 0, delivered: 0 });
    expect(shop.received).toHaveLength(1);
  });

  test('run by itself, ends at once at a second signal', async () => {
    await shop.close();
    shop = await openShop(() => undefined);
    const { child, output } = await startWorker({}, false);
    await invoiceDueIn(100);
    await until(() => shop.received.length === 1);
    const closed = once(child, 'close');
    await signalTwice(child, output, ['SIGINT', 'SIGINT']);
    const [code] = await closed;
    // An orderly end would exit with 0 after the attempt's ten seconds.
    expect(code, output()).toBe(1);
  });

  test('outlives lost connections to the database', async () => {
    const { child, output } = await startWorker();
    for (let cut = 0; cut < 3; cut++) {
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await sleep(200);
    }
    await invoiceDueIn(300);
    await until(() => shop.received.length === 1);
    expect(child.exitCode, output()).toBeNull();
  });

  test.each([
    ['no key', ''],
    ['another key', Buffer.alloc(32, 6).toString('base64')],
  ])('with %s for what is sealed in the database ends and says so', async (_, key) => {
    const { child, output } = spawnWorker({ SECRETS_KEY: key });
    const [code] = await once(child, 'close');
    expect(code, output()).toBe(1);
    expect(output()).toMatch(/"level":"fatal".*Set SECRETS_KEY to the key of this database/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('in production without PUBLIC_URL ends and says so', async () => {
    const { child, output } = spawnWorker({ NODE_ENV: 'production', PUBLIC_URL: '' });
    const [code] = await once(child, 'close');
    expect(code, output()).toBe(1);
    expect(output()).toMatch(/"level":"fatal".*"msg":"The setting PUBLIC_URL must be set/);
  });

  test.each([
    ['is gone', startWorker],
    ['was gone before it began', async () => spawnWorker()],
  ])('ends when the process that supervises it %s', async (_, start) => {
    const { child, output } = await start();
    child.disconnect();
    const [code] = await once(child, 'exit');
    expect(code, output()).toBe(0);
  });
});
