import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSession, endSession, findSession, switchMerchant } from '../auth/sessions.ts';
import { JOBS } from '../jobs/registry.ts';
import { idBefore, newId } from '../lib/ids.ts';
import { createMerchant, type NewMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { log } from '../observability/log.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { useSession } from '../testing/staff.ts';
import { listFailedRecoveries, readBacklog } from './backlog.ts';
import { listProcesses, startHeartbeats } from './heartbeats.ts';
import { beginImpersonation, endImpersonation, IMPERSONATION_LIMIT_MS } from './impersonation.ts';
import { listMerchantHealth, readMerchantHealth } from './merchants.ts';
import { addOperator, listOperators, removeOperator } from './operators.ts';
import { listSamples, takeSample } from './samples.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const HOUR_OVER = new Date(NOW.getTime() + IMPERSONATION_LIMIT_MS);
const COMMAND = { type: 'operator', id: null, label: 'gateway command' } as const;
const before = (ms: number) => new Date(NOW.getTime() - ms);

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function merchant(name = 'Shop'): Promise<NewMerchant> {
  const ownerEmail = `owner-${++serial}@example.com`;
  return createMerchant(database.pool, { name, ownerEmail, actor: COMMAND, now: NOW });
}

async function operatorSession() {
  const { pool } = database;
  const email = `operator-${++serial}@example.com`;
  await addOperator(pool, { email, actor: COMMAND, now: NOW });
  const byEmail = 'SELECT id FROM users WHERE email = $1';
  const { rows } = await pool.query<{ id: string }>(byEmail, [email]);
  const userId = rows[0]?.id ?? '';
  const { id } = await createSession(pool, { userId, address: null, userAgent: null, now: NOW });
  return { id, userId, email };
}

async function auditOf(merchantId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `SELECT action || ' ' || actor_type || ' ' || actor_label AS line FROM audit_log
     WHERE merchant_id = $1 AND action LIKE 'merchant.act%' ORDER BY id`,
    [merchantId],
  );
  return rows.map(({ line }) => line);
}

async function act(sessionId: string, email: string, merchantId: string, now = NOW) {
  const actor = { type: 'operator', id: null, label: email } as const;
  return beginImpersonation(database.pool, { sessionId, merchantId, actor, now });
}

it('an operator is added once, listed and removed', async () => {
  const { pool } = database;
  const email = 'Staff@Example.com';
  const added = await addOperator(pool, { email, actor: COMMAND, now: NOW });
  expect(added).toMatchObject({ outcome: 'added', email: 'staff@example.com' });
  const again = await addOperator(pool, { email, actor: COMMAND, now: NOW });
  expect(again).toMatchObject({ outcome: 'unchanged' });
  expect((await listOperators(pool)).map((each) => each.email)).toContain('staff@example.com');
  const removal = { email, actor: COMMAND, now: NOW };
  expect(await removeOperator(pool, removal)).toBe('removed');
  expect(await removeOperator(pool, removal)).toBe('not_found');
});

it('acting opens the merchant with the role of support, and ends by itself after an hour', async () => {
  const { pool } = database;
  const { merchantId } = await merchant();
  const { id, email } = await operatorSession();
  expect((await findSession(pool, id, NOW))?.merchant).toBeNull();
  expect(await endImpersonation(pool, id)).toBe(false);
  expect(await act(id, email, merchantId)).toBe('begun');
  const shop = { id: merchantId, role: 'support' };
  const acting = { merchant: shop, impersonatingUntilMs: +HOUR_OVER };
  expect(await findSession(pool, id, NOW)).toMatchObject(acting);
  await useSession(pool, id, NOW, HOUR_OVER);
  const over = { merchant: null, impersonatingUntilMs: null, isOperator: true };
  expect(await findSession(pool, id, HOUR_OVER)).toMatchObject(over);
});

const runEnd = (now: Date) => {
  const job = JOBS.find(({ id }) => id === 'endOverdueImpersonation');
  return job?.run({ db: database.pool, now, clock: () => now, limit: 100 });
};

it('the merchant reads of the beginning and of every kind of end', async () => {
  const { pool } = database;
  const ends: ((session: { id: string; email: string }) => Promise<unknown>)[] = [
    ({ id }) => endImpersonation(pool, id),
    ({ id }) => endSession(pool, id),
    ({ email }) => removeOperator(pool, { email, actor: COMMAND, now: NOW }),
    async ({ id, email }) => act(id, email, (await merchant()).merchantId),
    async () => {
      expect(await runEnd(new Date(HOUR_OVER.getTime() - 1))).toEqual({ count: 0 });
      await runEnd(HOUR_OVER);
      expect(await runEnd(HOUR_OVER)).toEqual({ count: 0 });
    },
  ];
  for (const end of ends) {
    const { merchantId } = await merchant();
    const session = await operatorSession();
    await act(session.id, session.email, merchantId);
    await end(session);
    expect(await auditOf(merchantId)).toEqual([
      `merchant.act_begin operator ${session.email}`,
      `merchant.act_end operator ${session.email}`,
    ]);
  }
});

it('who is an operator no more ends nobody else’s acting', async () => {
  const { pool } = database;
  const { merchantId } = await merchant();
  const [stays, goes] = [await operatorSession(), await operatorSession()];
  await act(stays.id, stays.email, merchantId);
  await removeOperator(pool, { email: goes.email, actor: COMMAND, now: NOW });
  expect((await findSession(pool, stays.id, NOW))?.merchant?.id).toBe(merchantId);
});

it('to go to a merchant of one’s own ends acting for another', async () => {
  const { pool } = database;
  const [own, other] = [await merchant(), await merchant()];
  await addOperator(pool, { email: own.owner.email, actor: COMMAND, now: NOW });
  const { id } = await createSession(pool, {
    userId: own.owner.userId,
    address: null,
    userAgent: null,
    now: NOW,
  });
  await act(id, own.owner.email, other.merchantId);
  const session = await findSession(pool, id, NOW);
  if (!session) throw new Error('no session');
  expect(session.merchant?.id).toBe(other.merchantId);
  expect(await switchMerchant(pool, session, own.merchantId)).toBe(true);
  const after = await findSession(pool, id, NOW);
  expect(after).toMatchObject({ merchant: { id: own.merchantId, role: 'owner' } });
});

it('nobody acts who is no operator', async () => {
  const { pool } = database;
  const [own, other] = [await merchant(), await merchant()];
  const { id } = await createSession(pool, {
    userId: own.owner.userId,
    address: null,
    userAgent: null,
    now: NOW,
  });
  expect(await act(id, own.owner.email, other.merchantId)).toBe('not_found');
  expect((await findSession(pool, id, NOW))?.merchant?.id).toBe(own.merchantId);
});

it('the backlog tells what is due, since when, and whose is the oldest', async () => {
  const { pool } = database;
  const [first, second] = [await merchant('First'), await merchant('Second')];
  expect(await readBacklog(pool, NOW)).toMatchObject({ callbacksDue: 0, callbackLagMs: 0 });
  const url = 'http://localhost:1/';
  await insertDue(pool, { merchantId: first.merchantId, url, at: before(MINUTE_MS), count: 3 });
  const [oldest = ''] = await insertDue(pool, {
    merchantId: second.merchantId,
    url,
    at: before(5 * MINUTE_MS),
  });
  await pool.query('UPDATE callbacks SET next_attempt_at = $2 WHERE invoice_id = $1', [
    oldest,
    before(2 * MINUTE_MS).toISOString(),
  ]);
  expect(await readBacklog(pool, NOW)).toMatchObject({
    callbacksDue: 4,
    callbackLagMs: 2 * MINUTE_MS,
    oldestUndeliveredMs: 5 * MINUTE_MS,
    oldestUndelivered: { invoiceId: oldest, merchantName: 'Second' },
  });
  await pool.query("UPDATE callbacks SET state = 'delivered'");
  await pool.query("UPDATE invoices SET status = 'CANCELED'");
});

it('a recovery counts as failed when it has not worked for two minutes', async () => {
  const { pool } = database;
  const { merchantId } = await merchant('Stuck');
  const [invoiceId = ''] = await insertDue(pool, { merchantId, url: 'http://x/', at: NOW });
  const insert = (id: string, updatedMs: number, recoverAt = NOW) =>
    pool.query(
      `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
         card_brand, card_last4, created_at, updated_at, recover_at)
       VALUES ($1, $2, 'voiding', 'sandbox', 1500, 'USD', 'visa', '4242', $3, $3, $4)`,
      [id, invoiceId, before(updatedMs).toISOString(), recoverAt.toISOString()],
    );
  await insert('pay_young', MINUTE_MS);
  expect(await listFailedRecoveries(pool, { now: NOW, limit: 5 })).toEqual([]);
  await insert('pay_old', 3 * MINUTE_MS);
  const failed = await listFailedRecoveries(pool, { now: NOW, limit: 5 });
  expect(failed).toMatchObject([{ attemptId: 'pay_old', merchantName: 'Stuck', invoiceId }]);
  expect((await readBacklog(pool, NOW)).recoveriesWaiting).toBe(2);
  // Between two checks of a payment whose acquirer is silent.
  await insert('pay_silent', 3 * MINUTE_MS, before(-30_000));
  expect(await listFailedRecoveries(pool, { now: NOW, limit: 5 })).toHaveLength(2);
});

it('one sample a minute is kept, whoever takes it', async () => {
  const { pool } = database;
  await Promise.all([1, 2, 3].map(() => takeSample(pool, NOW)));
  await takeSample(pool, new Date(NOW.getTime() + 59_000));
  await pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, trigger)
     SELECT 'ntf_sample', n, $1, 9, true, 'schedule' FROM generate_series(1, 3) n`,
    [NOW],
  );
  await takeSample(pool, new Date(NOW.getTime() + MINUTE_MS));
  const samples = await listSamples(pool, before(MINUTE_MS));
  expect(samples.map(({ atMs }) => atMs - NOW.getTime())).toEqual([0, MINUTE_MS]);
  expect(samples.map(({ deliveryAttempts }) => deliveryAttempts)).toEqual([0, 3]);
});

it('one that lives is listed beside any number that do not', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO process_beats (id, kind, host, pid, started_at, last_seen_at)
     SELECT 'gone ' || n, 'worker', 'host', n, $1::timestamptz, $1 FROM generate_series(1, 300) n`,
    [before(5 * MINUTE_MS).toISOString()],
  );
  const heartbeats = startHeartbeats(pool, { kind: 'web' }, () => NOW);
  const living = async () => (await listProcesses(pool, NOW)).filter(({ isSilent }) => !isSilent);
  await expect.poll(living).toMatchObject([{ kind: 'web', pid: process.pid }]);
  await heartbeats.stop();
  await pool.query('DELETE FROM process_beats');
});

it('a worker forgets whoever was last seen hours ago, or tomorrow', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO process_beats (id, kind, host, pid, started_at, last_seen_at)
     SELECT 'gone ' || n, 'worker', 'host', n, $1::timestamptz, $1::timestamptz + n * interval '1 hour'
     FROM unnest('{-24,-2,2,24}'::int[]) n`,
    [NOW.toISOString()],
  );
  const heartbeats = startHeartbeats(pool, { kind: 'worker', driver: () => 'embedded' }, () => NOW);
  await expect.poll(() => listProcesses(pool, NOW)).toMatchObject([{ pid: process.pid }]);
  await heartbeats.stop();
});

it('a worker whose clock is hours behind forgets nobody', async () => {
  const { pool } = database;
  const now = Date.now.bind(Date);
  await pool.query(
    `INSERT INTO process_beats (id, kind, host, pid, started_at, last_seen_at)
     VALUES ('right', 'worker', 'host', 1, $1, $1)`,
    [new Date(now())],
  );
  const told = vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 120 * MINUTE_MS);
  const clock = () => new Date(Date.now());
  await startHeartbeats(pool, { kind: 'worker', driver: () => 'embedded' }, clock).stop();
  expect(await listProcesses(pool, new Date())).toMatchObject([{ id: 'right' }]);
  expect(told).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
  await pool.query('DELETE FROM process_beats');
});

it('a process is listed while it lives', async () => {
  const { pool } = database;
  const heartbeats = startHeartbeats(pool, { kind: 'worker', driver: () => 'fallback' }, () => NOW);
  await expect
    .poll(() => listProcesses(pool, NOW))
    .toMatchObject([
      {
        kind: 'worker',
        driver: 'fallback',
        pid: process.pid,
        lastSeenAtMs: NOW.getTime(),
        isSilent: false,
      },
    ]);
  for (const now of [new Date(NOW.getTime() + MINUTE_MS), before(MINUTE_MS)]) {
    const [silent] = await listProcesses(pool, now);
    expect(silent?.isSilent).toBe(true);
  }
  await heartbeats.stop();
  expect(await listProcesses(pool, NOW)).toEqual([]);
});

it('merchants are found by name, owner and id, a page at a time, with their volume of a day', async () => {
  const { pool } = database;
  const { merchantId, owner } = await merchant('100% Coffee');
  await merchant('100 Tea');
  await pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at, capture_attempt_id)
     SELECT v.id, $1, 'production', v.id, 'PAID', 1500, v.currency::currency, 'x', '[]', 'x', 'x', 'x',
            $2, $2, $2, 'pay_x'
     FROM unnest($3::text[], $4::text[]) AS v(id, currency)`,
    [
      merchantId,
      NOW.toISOString(),
      [
        newId('inv', NOW.getTime() - MINUTE_MS),
        newId('inv', NOW.getTime() - MINUTE_MS),
        newId('inv', NOW.getTime() - 2 * MINUTE_MS),
        `${idBefore('inv', NOW.getTime() - 25 * 60 * MINUTE_MS)}old`,
      ],
      ['USD', 'USD', 'EUR', 'USD'],
    ],
  );
  const at = { first: [], now: NOW, tenantOf: grantTenant };
  const find = async (search: string) => {
    const page = { ...at, search, page: 1, limit: 5, environment: 'production' } as const;
    return (await listMerchantHealth(pool, page)).merchants.map(({ name }) => name);
  };
  for (const search of ['100%', 'coffee', merchantId, owner.email.toUpperCase()]) {
    expect(await find(search)).toEqual(['100% Coffee']);
  }
  const found = await readMerchantHealth(pool, merchantId, { now: NOW, tenantOf: grantTenant });
  expect(found?.activity.map(({ environment, paid }) => ({ environment, ...paid }))).toEqual([
    { environment: 'sandbox', count: 0, byCurrency: [] },
    {
      environment: 'production',
      count: 3,
      byCurrency: [
        { currency: 'USD', amountMinor: 3000n },
        { currency: 'EUR', amountMinor: 1500n },
      ],
    },
  ]);
  const seen = new Set<string>();
  for (let page = 1, hasMore = true; hasMore; page++) {
    const asked = { ...at, search: '', page, limit: 2, environment: 'sandbox' } as const;
    const { merchants, isMore } = await listMerchantHealth(pool, asked);
    for (const { id } of merchants) seen.add(id);
    hasMore = isMore;
  }
  const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM merchants');
  expect(seen.size).toBe(rows[0]?.n);
});
