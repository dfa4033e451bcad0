import { afterAll, beforeAll, expect, it } from 'vitest';
import { notificationId } from '../callbacks/enqueue.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createStaffedShop, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const before = (ms: number) => new Date(NOW.getTime() - ms);

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newShop = () => createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);

/** One of the shop's callbacks to this host, given up at that time; returns its invoice's id. */
async function giveUp({ merchantId }: StaffedShop, host: string, at: Date): Promise<string> {
  const { pool } = database;
  const [id = ''] = await insertDue(pool, { merchantId, url: `http://${host}/`, at });
  await pool.query(
    `WITH attempt AS (
       INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, http_status,
         delivered, reason, trigger)
       VALUES (${notificationId('$1::text')}, 1, $2, 5, 500, false, 'answered 500', 'schedule'))
     UPDATE callbacks SET state = 'exhausted', host = $3, attempt_count = 1 WHERE invoice_id = $1`,
    [id, at.toISOString(), host],
  );
  return id;
}

it('counts and sends again what failed since a time, of all hosts or of one', async () => {
  const shop = await newShop();
  const { callbacks } = shop.calls();
  await giveUp(shop, 'down.example', before(3 * DAY_MS));
  const down = await giveUp(shop, 'down.example', before(MINUTE_MS));
  const shut = await giveUp(shop, 'shut.example', before(MINUTE_MS));
  const since = { sinceMs: before(DAY_MS).getTime() };
  const one = { ...since, host: 'down.example' };
  const inOne = { hours: 24, host: 'down.example' };
  const hosts = [
    { host: 'down.example', count: 1 },
    { host: 'shut.example', count: 1 },
  ];
  const counted = { ...since, isWhole: true };
  expect(await callbacks.countFailedWithin({ hours: 24 })).toEqual({ ...counted, hosts });
  expect(await callbacks.countFailedWithin(inOne)).toEqual({
    ...counted,
    hosts: hosts.slice(0, 1),
  });
  expect(await callbacks.resendFailed(one)).toEqual({ queued: 1 });
  const pending = async () =>
    (await callbacks.list({ states: ['pending'] })).callbacks.map(({ invoiceId }) => invoiceId);
  expect(await pending()).toEqual([down]);
  await callbacks.resendFailed(since);
  expect((await pending()).toSorted()).toEqual([down, shut].toSorted());
});

it('lists what failed on some days: from the first instant, and before the last', async () => {
  const shop = await newShop();
  const { callbacks } = shop.calls();
  const ids: string[] = [];
  for (const days of [3, 2, 1]) {
    ids.push(await giveUp(shop, 'down.example', before(days * DAY_MS)));
  }
  const listed = async (fromDays: number | null, untilDays: number | null) => {
    const ms = (days: number | null) => (days === null ? null : before(days * DAY_MS).getTime());
    const page = await callbacks.list({ fromMs: ms(fromDays), untilMs: ms(untilDays) });
    return page.callbacks.map(({ invoiceId }) => 3 - ids.indexOf(invoiceId));
  };
  expect(await listed(3, 1)).toEqual([2, 3]);
  expect(await listed(2, null)).toEqual([1, 2]);
  expect(await listed(null, 2)).toEqual([3]);
});

it('an address is tried twenty times in ten minutes, each told in the log with its host', async () => {
  const shop = await newShop();
  const { callbacks } = shop.calls();
  const trial = { url: 'http://127.0.0.1:1/callback', checkSignature: false };
  const tried = await Promise.allSettled(
    Array.from({ length: 21 }, () => callbacks.tryEndpoint(trial)),
  );
  const refused = tried.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { code: 'TOO_MANY_REQUESTS' } }]);
  const { rows } = await database.pool.query(
    `SELECT target_id AS host, environment, count(*)::int AS count FROM audit_log
     WHERE merchant_id = $1 AND action = 'callback.test' GROUP BY 1, 2`,
    [shop.merchantId],
  );
  expect(rows).toEqual([{ host: '127.0.0.1:1', environment: 'sandbox', count: 20 }]);
  const later = shop.calls({ now: new Date(NOW.getTime() + 10 * MINUTE_MS) });
  expect((await later.callbacks.tryEndpoint(trial)).samples).not.toEqual([]);
});

it('a host whose name grows too long in the encoding of other letters is refused', async () => {
  const { callbacks } = (await newShop()).calls();
  const labels = Array.from({ length: 500 }, (_, n) =>
    String.fromCodePoint(0x4e00 + n, 0x6000 + n),
  );
  const url = `http://${labels.join('.')}.invalid/`;
  expect([...url].length).toBeLessThan(2_048);
  await expect(callbacks.tryEndpoint({ url, checkSignature: false })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The host name is too long.',
  });
});

it('all that failed is sent again ten times in ten minutes, whatever host is named', async () => {
  const shop = await newShop();
  const resend = (now: Date, host: string | null = null) =>
    shop.calls({ now }).callbacks.resendFailed({ sinceMs: before(DAY_MS).getTime(), host });
  for (let count = 0; count < 10; count += 1) await resend(NOW, `${count}.example`);
  await expect(resend(NOW)).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    message: 'Failed callbacks were resent too often. Wait ten minutes.',
  });
  await giveUp(shop, 'down.example', before(MINUTE_MS));
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS count FROM audit_log WHERE action = 'callback.resend_failed'
       AND merchant_id = $1`,
    [shop.merchantId],
  );
  expect(rows).toEqual([{ count: 10 }]);
  const other = await newShop();
  await other.calls().callbacks.resendFailed({ sinceMs: NOW.getTime() });
  expect(await resend(new Date(NOW.getTime() + 10 * MINUTE_MS))).toEqual({ queued: 1 });
});
