import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { messagesAt } from '#server/i18n/translator.ts';
import { newId } from '#server/lib/ids.ts';
import { addOperator } from '#server/operating/operators.ts';
import { findOrCreateUser, setMember } from '#server/staff/members.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import {
  callerOf,
  createStaffedShop,
  newSession,
  type StaffedShop,
} from '#server/testing/staff.ts';
import { GET as exportAuditLog } from '../[environment]/audit-log/export/route.ts';
import { GET as exportInvoices } from '../[environment]/invoices/export/route.ts';
import { GET as exportRegister } from '../[environment]/register/export/route.ts';

const ROWS = 3_500;
let database: TestDatabase;
let shop: StaffedShop;
let sessionId = '';
let serial = 0;

vi.mock('next/headers', () => ({
  cookies: async () => ({ getAll: () => [], get: () => undefined }),
  headers: async () => new Headers(),
}));
vi.mock(import('#server/auth/next-auth.ts'), async (original) => ({
  ...(await original()),
  sessionIdOf: async () => sessionId,
}));
vi.mock(import('#server/db/pool.ts'), async (original) => ({
  ...(await original()),
  getPool: () => database.pool,
}));

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const now = new Date();
  shop = await createStaffedShop(database.pool, now, `owner-${++serial}@example.com`);
  sessionId = (await newSession(database.pool, shop.owner.userId, now)).id;
  const ids = Array.from({ length: ROWS }, () => newId('inv', now.getTime()));
  await database.pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at)
     SELECT id, $1, 'sandbox', id, 'PENDING', 100, 'USD', 'x', '[]', 'x', 'x', 'x',
       $2::timestamptz + interval '1 day', $2, $2
     FROM unnest($3::text[]) AS id`,
    [shop.merchantId, now, ids],
  );
  await database.pool.query(
    `INSERT INTO audit_log (merchant_id, at, actor_type, actor_label, action, details)
     SELECT $1, $2, 'staff', 'owner', 'token.create', '{}' FROM generate_series(1, $3::int)`,
    [shop.merchantId, now, ROWS],
  );
});

const EXPORTS = { invoices: exportInvoices, 'audit-log': exportAuditLog, register: exportRegister };

const FROM_OUR_PAGE = { 'sec-fetch-site': 'same-origin' };

/** Requests a file. */
function ask(
  name: keyof typeof EXPORTS,
  search = '',
  { method = 'GET', headers = FROM_OUR_PAGE }: RequestInit = {},
): Promise<Response> {
  const address = `https://pay.example/dashboard/sandbox/${name}/export${search}`;
  const params = Promise.resolve({ environment: 'sandbox' });
  return EXPORTS[name](new Request(address, { method, headers }), { params });
}

/** Reads a file to its end; runs `meanwhile` after one page. */
async function linesOf(name: keyof typeof EXPORTS, meanwhile: () => Promise<unknown>) {
  const response = await ask(name);
  expect(response.status).toBe(200);
  const decoder = new TextDecoder();
  let lines = 0;
  let pages = 0;
  if (!response.body) throw new Error('no body');
  for await (const chunk of response.body) {
    lines += decoder.decode(chunk).split('\r\n').length - 1;
    // The first piece holds the columns' heads.
    if (++pages === 2) await meanwhile();
  }
  return lines;
}

const remove = () =>
  database.pool.query('DELETE FROM memberships WHERE merchant_id = $1', [shop.merchantId]);
const disable = () =>
  database.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [shop.owner.userId]);

/** Switches to another of the person's merchants in another tab. */
const switchAway = async () => {
  const other = await createStaffedShop(database.pool, new Date(), `other-${serial}@example.com`);
  await database.pool.query('UPDATE memberships SET user_id = $1 WHERE merchant_id = $2', [
    shop.owner.userId,
    other.merchantId,
  ]);
  await database.pool.query('UPDATE sessions SET merchant_id = $2 WHERE id = $1', [
    sessionId,
    other.merchantId,
  ]);
};

it.each(['invoices', 'audit-log'] as const)('the file of the %s comes whole', async (name) => {
  expect(await linesOf(name, async () => undefined)).toBeGreaterThan(ROWS);
});

it.each([
  ['invoices', 'taken off the team', remove],
  ['invoices', 'disabled', disable],
  ['audit-log', 'taken off the team', remove],
  ['audit-log', 'disabled', disable],
  ['invoices', 'led to another merchant', switchAway],
  ['audit-log', 'led to another merchant', switchAway],
] as const)('the file of the %s breaks off when its reader is %s', async (name, _, end) => {
  await expect(linesOf(name, end)).rejects.toMatchObject({ name: 'TRPCError' });
});

/** The downloads in the shop's audit log. */
async function downloads() {
  const { rows } = await database.pool.query(
    `SELECT actor_type AS by, actor_label AS who, environment, action, details FROM audit_log
     WHERE merchant_id = $1 AND action LIKE '%.export' ORDER BY id`,
    [shop.merchantId],
  );
  return rows;
}

it('the log tells who takes a file and what it was narrowed to, before it leaves', async () => {
  const by = { by: 'staff', who: shop.owner.email, environment: 'sandbox' };
  const search = '?status=PAID&min=5&from=2026-11-01&q=order&columns=status';
  const invoices = await ask('invoices', search);
  const entry = {
    ...by,
    action: 'invoice.export',
    details: {
      search: 'order',
      statuses: 'PAID',
      minAmountMinor: 500,
      // The day begins at the merchant's midnight, in Asia/Tashkent by default.
      from: '2026-10-31T19:00:00.000Z',
    },
  };
  expect(await downloads()).toEqual([entry]);
  await invoices.text();
  await (await ask('audit-log', '?action=token.create')).text();
  const ofLog = { ...by, action: 'audit.export', details: { action: 'token.create' } };
  expect(await downloads()).toEqual([entry, ofLog]);
});

it.each(['invoices', 'audit-log'] as const)(
  '403 for a link elsewhere to the file of the %s, of which the log tells nothing',
  async (name) => {
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { referer: 'https://evil.example/' },
    ];
    for (const headers of elsewhere) {
      const refused = await ask(name, '', { headers });
      expect(refused.status).toBe(403);
      expect(await refused.text()).toBe(messagesAt('en', 'dashboard').foreignExport);
    }
    expect(await downloads()).toEqual([]);
    // An address typed by hand is intended.
    const typed = await ask(name, '', { headers: { 'sec-fetch-site': 'none' } });
    expect(typed.status).toBe(200);
    await typed.text();
    expect(await downloads()).toHaveLength(1);
  },
);

it('the log tells nothing of a file that was refused', async () => {
  const { merchantId } = shop;
  await database.pool.query(`UPDATE memberships SET role = 'viewer' WHERE merchant_id = $1`, [
    merchantId,
  ]);
  expect((await ask('audit-log')).status).toBe(403);
  expect((await ask('invoices', '?merchant=mer_other')).status).toBe(412);
  expect(await downloads()).toEqual([]);
});

it('405 for a HEAD, of which no file leaves and the log tells nothing', async () => {
  for (const name of ['invoices', 'audit-log'] as const) {
    const answer = await ask(name, '', { method: 'HEAD' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET');
  }
  expect(await downloads()).toEqual([]);
});

it('the log tells that an operator who acts for the merchant takes a file', async () => {
  const { pool } = database;
  const now = new Date();
  const email = `operator-${serial}@example.com`;
  const test = { type: 'operator', id: null, label: 'test' } as const;
  await addOperator(pool, { email, actor: test, now });
  const { id } = await findOrCreateUser(pool, { email, now });
  const session = await newSession(pool, id, now);
  await callerOf(pool, session, { now }).operator.act({ merchantId: shop.merchantId });
  sessionId = session.id;
  await (await ask('invoices')).text();
  expect(await downloads()).toEqual([
    { by: 'operator', who: email, environment: 'sandbox', action: 'invoice.export', details: {} },
  ]);
});

it('429, in words, for a third file of a person at once, whichever session asks', async () => {
  const first = await ask('invoices');
  const second = await ask('audit-log');
  sessionId = (await newSession(database.pool, shop.owner.userId, new Date())).id;
  for (const name of ['invoices', 'audit-log'] as const) {
    const refused = await ask(name);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.text()).toBe(messagesAt('en', 'dashboard').manyExports);
  }
  await first.body?.cancel();
  expect(await linesOf('invoices', async () => undefined)).toBeGreaterThan(ROWS);
  await second.body?.cancel();
});

it('429, in words, for whoever takes files all the time, and the log tells of no more', async () => {
  const { audit, invoices } = callerOf(
    database.pool,
    await newSession(database.pool, shop.owner.userId, new Date()),
    { now: new Date() },
  );
  for (let i = 0; i < 30; i += 1) {
    await audit.noteExport({});
    await invoices.noteExport({ filters: {} });
  }
  for (const name of ['invoices', 'audit-log'] as const) {
    const refused = await ask(name);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toBe('Too many files. Wait ten minutes.');
  }
  expect(await downloads()).toHaveLength(60);
});

it('files that nobody takes keep nobody else from theirs, of their merchant or another', async () => {
  const { pool } = database;
  const now = new Date();
  const { merchantId } = shop;
  for (const name of ['first', 'second', 'third']) {
    const { id: userId } = await findOrCreateUser(pool, { email: `${name}@slow.example`, now });
    await setMember(pool, { merchantId, userId, role: 'owner', now });
    sessionId = (await newSession(pool, userId, now)).id;
    for (const file of ['invoices', 'audit-log'] as const) {
      expect((await ask(file)).status).toBe(200);
    }
  }
  sessionId = (await newSession(pool, shop.owner.userId, now)).id;
  expect(await linesOf('invoices', async () => undefined)).toBeGreaterThan(ROWS);
  const other = await createStaffedShop(pool, now, `other-${serial}@example.com`);
  sessionId = (await newSession(pool, other.owner.userId, now)).id;
  expect(await (await ask('invoices')).text()).toMatch(/^[^\n]+\n$/);
});

it('a day’s register comes whole in both kinds of file, and the log tells its day', async () => {
  await database.pool.query(
    `UPDATE invoices SET status = 'PAID', capture_attempt_id = 'pay_' || id, status_changed_at = '2026-11-21T12:00:00Z'
     WHERE merchant_id = $1`,
    [shop.merchantId],
  );
  const [csv, xlsx] = [
    await ask('register', '?day=2026-11-21&format=csv'),
    await ask('register', '?day=2026-11-21&format=xlsx'),
  ];
  expect(csv.headers.get('content-disposition')).toContain('register-sandbox-2026-11-21.csv');
  expect((await csv.text()).trim().split('\r\n')).toHaveLength(ROWS + 1);
  const { sheets } = await readXlsx(new Uint8Array(await xlsx.arrayBuffer()));
  expect(sheets[0]?.rows).toHaveLength(ROWS + 1);
  const entry = { action: 'register.export', details: { day: '2026-11-21' } };
  expect(await downloads()).toMatchObject([entry, entry]);
  // A reader who goes away leaves the place to others.
  const left = await Promise.all([0, 1].map(() => ask('register', '?format=xlsx&day=2026-11-21')));
  for (const { body } of left) await body?.cancel();
  expect((await ask('register', '?day=2026-11-20')).status).toBe(200);
});
