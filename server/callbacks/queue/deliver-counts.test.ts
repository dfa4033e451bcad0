import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setTracer } from '../../lib/tracing.ts';
import { ENVIRONMENTS, type Environment } from '../../merchants/types.ts';
import { createLogger } from '../../observability/log.ts';
import { metrics } from '../../observability/metrics.ts';
import { createTracer } from '../../observability/open-telemetry.ts';
import { stopTracing } from '../../observability/start-tracing.ts';
import {
  deliverOnce,
  insertDue,
  openShop,
  type Shop,
  testContext,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { openCollector } from '../../testing/telemetry/collector.ts';
import { resendCallback } from '../resend.ts';
import { MAX_ATTEMPTS } from '../schedule.ts';
import { AttemptLog } from './attempt-log.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
let shop: Shop;
beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  shop = await openShop((response) => response.end('{"success":false}'));
});
afterEach(async () => {
  await shop.close();
  await database.drop();
});

/** The additions of one run over the due callbacks to each environment's counts. */
async function countsOfRun() {
  const { callbackAttempts } = metrics();
  for (const environment of ENVIRONMENTS) {
    callbackAttempts[environment] = { delivered: 0, failed: 0, exhausted: 0 };
  }
  const context = testContext(database.pool, { clock: () => T0 });
  expect(await deliverOnce(context, { now: T0, limit: 10 })).toMatchObject({
    attempted: 1,
  });
  await context.sender.close();
  return structuredClone(callbackAttempts);
}

const NONE = { delivered: 0, failed: 0, exhausted: 0 };
const OTHER: Record<Environment, Environment> = { sandbox: 'production', production: 'sandbox' };

it.each(ENVIRONMENTS)(
  'a callback of %s is given up by its last step, and not again by a resend that fails',
  async (environment) => {
    const { pool } = database;
    const due = { merchantId: merchant.id, environment, url: shop.url, at: T0 };
    const [id = ''] = await insertDue(pool, due);
    await pool.query('UPDATE callbacks SET attempt_count = $1', [MAX_ATTEMPTS - 2]);
    const failed = { [environment]: { ...NONE, failed: 1 }, [OTHER[environment]]: NONE };
    expect(await countsOfRun()).toEqual(failed);
    await pool.query('UPDATE callbacks SET next_attempt_at = $1', [T0]);
    const givenUp = { [environment]: { ...NONE, exhausted: 1 }, [OTHER[environment]]: NONE };
    expect(await countsOfRun()).toEqual(givenUp);
    const resent = { actor: ACTOR, now: T0 };
    expect(await resendCallback(pool, merchant[environment].tenant, id, resent)).toBe('queued');
    expect(await countsOfRun()).toEqual(failed);
  },
);

it('log and trace, too, call a resend that fails a failure', async () => {
  const { pool } = database;
  const due = { merchantId: merchant.id, url: shop.url, at: T0 };
  const [id = ''] = await insertDue(pool, due);
  await pool.query(`UPDATE callbacks SET state = 'exhausted', attempt_count = $1`, [MAX_ATTEMPTS]);
  const resent = { actor: ACTOR, now: T0 };
  expect(await resendCallback(pool, merchant.sandbox.tenant, id, resent)).toBe('queued');
  const collector = await openCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  setTracer(createTracer('http/json', 'worker'));
  const lines: string[] = [];
  const attempts = new AttemptLog(createLogger('info', { write: (text) => lines.push(text) }));
  const context = testContext(pool, { clock: () => T0, attempts });
  await deliverOnce(context, { now: T0, limit: 10 });
  attempts.flush();
  await stopTracing();
  vi.unstubAllEnvs();
  await Promise.all([context.sender.close(), collector.close()]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { outcome: 'failed', trigger: 'resend' },
  ]);
  const [span] = collector.spans.filter(({ name }) => name === 'callback attempt');
  expect(span?.attributes).toMatchObject({
    'gateway.outcome': 'failed',
    'gateway.trigger': 'resend',
  });
});
