import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertDue, notificationOf } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { type CallbackFilters, listCallbacks } from './data.ts';
import { countFailedSince, resendFailedSince } from './resend.ts';
import { failingHosts } from './tools/failing-hosts.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(T0.getTime() + ms);
const actor = {
  type: 'staff',
  id: 'usr_1',
  label: 'anna@shop.example',
  address: '192.0.2.7',
} as const;

let database: TestDatabase;
let merchant: MerchantFixture;
let ids: string[];

type Made = { host: string; state: string; httpStatus: number | null; reason: string | null };

/** Twelve callbacks, one second apart; the newest comes last. */
const MADE: Made[] = Array.from({ length: 12 }, (_, i) => ({
  host: i % 3 === 0 ? 'down.example' : 'shop.example',
  state: ['exhausted', 'pending', 'delivered'][i % 3] ?? '',
  httpStatus: [500, null, 200][i % 3] ?? null,
  reason: ['answered 500, not 200', 'connection refused', null][i % 3] ?? null,
}));

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  merchant = await createMerchantFixture(pool);
  const url = 'http://localhost:1/callback';
  ids = await insertDue(pool, { merchantId: merchant.id, url, at: T0, count: MADE.length });
  for (const [i, made] of MADE.entries()) {
    await pool.query(
      `UPDATE callbacks SET host = $2, state = $3::callback_state, last_http_status = $4,
         last_reason = $5, attempt_count = 1, created_at = $6 WHERE invoice_id = $1`,
      [ids[i], made.host, made.state, made.httpStatus, made.reason, later(i * 1000)],
    );
    await pool.query(
      `INSERT INTO callback_attempts
         (callback_id, number, started_at, duration_ms, http_status, delivered, reason, trigger)
       VALUES ($1, 1, $2, 5, $3, $4, $5, 'schedule')`,
      [
        notificationOf(ids[i] ?? ''),
        later(i * 1000),
        made.httpStatus,
        made.reason === null,
        made.reason,
      ],
    );
  }
});

afterAll(() => database.drop());

const placesOf = (callbacks: { invoiceId: string }[]) =>
  callbacks.map(({ invoiceId }) => ids.indexOf(invoiceId));

async function all(filters: Partial<CallbackFilters>, more: { limit: number; scanLimit?: number }) {
  const pages: number[][] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listCallbacks>> = await listCallbacks(
      database.pool,
      merchant.sandbox.tenant,
      { ...filters, ...more, cursor, now: T0 },
    );
    pages.push(placesOf(page.callbacks));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

describe('listCallbacks', () => {
  test.each<[string, Partial<CallbackFilters>, number[]]>([
    ['a host', { host: 'down.example' }, [9, 6, 3, 0]],
    ['an answer of 5xx', { httpClass: 5 }, [9, 6, 3, 0]],
    ['no answer', { httpClass: 0 }, [10, 7, 4, 1]],
    ['a state and a host', { states: ['delivered'], host: 'shop.example' }, [11, 8, 5, 2]],
    ['a time', { from: later(3000), until: later(6000) }, [5, 4, 3]],
    [
      'a time, a state and an answer',
      { states: ['pending'], httpClass: 0, from: later(5000) },
      [10, 7],
    ],
    ['nothing that there is', { host: 'none.example' }, []],
  ])('shows by %s what fits, newest first, in one page or in many', async (_, filters, places) => {
    expect((await all(filters, { limit: 50 })).flat()).toEqual(places);
    expect((await all(filters, { limit: 2 })).flat()).toEqual(places);
  });

  test('looks at so many rows at a time, says how far it came, and misses none', async () => {
    const filters = { host: 'down.example' };
    const first = await listCallbacks(database.pool, merchant.sandbox.tenant, {
      ...filters,
      cursor: null,
      limit: 50,
      scanLimit: 2,
      now: T0,
    });
    // The third newest exhausted callback is where the search ended.
    expect(placesOf(first.callbacks)).toEqual([9, 6]);
    expect(first.searchedUntil).toEqual(later(5000));
    for (const scanLimit of [1, 2, 3]) {
      const pages = await all(filters, { limit: 50, scanLimit });
      expect(pages.flat()).toEqual([9, 6, 3, 0]);
      expect(pages.length).toBeGreaterThan(1);
    }
  });
});

test('the hosts that fail most are named with the commonest reason', async () => {
  const { pool } = database;
  expect(await failingHosts(pool, merchant.sandbox.tenant, { now: T0 })).toEqual([
    { host: 'down.example', exhausted: 4, retrying: 0, reason: 'answered 500, not 200' },
    { host: 'shop.example', exhausted: 0, retrying: 4, reason: 'connection refused' },
  ]);
  expect(await failingHosts(pool, merchant.production.tenant, { now: T0 })).toEqual([]);
  const nextWeek = later(8 * 24 * 60 * 60 * 1000);
  expect(await failingHosts(pool, merchant.sandbox.tenant, { now: nextWeek })).toEqual([]);
});

test('what the question before a resend counts is what is then sent, and no other host', async () => {
  const { pool } = database;
  const { tenant } = merchant.sandbox;
  const since = later(3000);
  const count = (host: string | null) => countFailedSince(pool, tenant, { since, host, now: T0 });
  const down = { host: 'down.example', count: 3 };
  const hosts = [down, { host: 'shop.example', count: 3 }];
  expect(await count(null)).toEqual({ hosts, isWhole: true });
  expect(await count('down.example')).toEqual({ hosts: [down], isWhole: true });
  const resent = await resendFailedSince(pool, tenant, {
    since,
    host: 'down.example',
    actor,
    now: T0,
  });
  expect(resent).toEqual({ queued: 3 });
  const { rows } = await pool.query(
    `SELECT invoice_id FROM callbacks WHERE next_trigger = 'resend' ORDER BY created_at`,
  );
  expect(rows.map(({ invoice_id }) => ids.indexOf(invoice_id))).toEqual([3, 6, 9]);
  const { rows: audit } = await pool.query(
    `SELECT address, details FROM audit_log WHERE action = 'callback.resend_failed'`,
  );
  expect(audit).toEqual([
    {
      address: '192.0.2.7',
      details: { since: since.toISOString(), count: 3, host: 'down.example' },
    },
  ]);
});

test('pages lead through all, the newest first, each once', async () => {
  const shop = await createMerchantFixture(database.pool);
  const { tenant } = shop.sandbox;
  const made: string[] = [];
  for (let i = 0; i < 5; i++) {
    const due = { merchantId: shop.id, url: 'http://127.0.0.1:1/', at: later(i * 10), count: 5 };
    made.push(...(await insertDue(database.pool, due)));
  }
  await database.pool.query(
    `UPDATE callbacks SET state = 'exhausted' WHERE invoice_id = ANY ($1)`,
    [made.slice(3, 9)],
  );
  const seen: string[] = [];
  const times: number[] = [];
  let cursor: string | null = null;
  do {
    const input = { states: [], cursor, limit: 4, now: T0 };
    const page = await listCallbacks(database.pool, tenant, input);
    seen.push(...page.callbacks.map(({ invoiceId }) => invoiceId));
    times.push(...page.callbacks.map(({ createdAt }) => createdAt.getTime()));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toHaveLength(25);
  expect(new Set(seen)).toEqual(new Set(made));
  expect(times).toEqual([...times].sort((a, b) => b - a));
  const input = { states: ['exhausted'] as const, cursor: 'nonsense', limit: 100, now: T0 };
  const exhausted = await listCallbacks(database.pool, tenant, input);
  expect(exhausted.callbacks).toHaveLength(6);
  expect(exhausted.nextCursor).toBeNull();
  const others = await listCallbacks(database.pool, shop.production.tenant, input);
  expect(others.callbacks).toEqual([]);
});
