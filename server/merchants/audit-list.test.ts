import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { explained, type Plan } from '../testing/database/plans.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { recordAudit } from './audit.ts';
import { type AuditFilter, listAudit, listAuditChoices, listRecentAudit } from './audit-list.ts';

const START_MS = Date.parse('2026-11-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const OF_AN_ENVIRONMENT: Record<number, 'sandbox' | 'production'> = {
  22: 'sandbox',
  23: 'production',
};
const ALL: AuditFilter = {
  person: null,
  action: null,
  fromMs: null,
  untilMs: null,
  cursor: null,
  limit: 100,
};

let database: TestDatabase;
let ours: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  ours = await createMerchantFixture(database.pool);
  const others = await createMerchantFixture(database.pool);
  for (let hour = 0; hour < 25; hour++) {
    await recordAudit(database.pool, {
      actor:
        hour % 5 === 0
          ? { type: 'operator', id: null, label: 'gateway command' }
          : { type: 'staff', id: `usr_${hour % 2}`, label: `u${hour}@example.com`, address: '::1' },
      now: new Date(START_MS + hour * HOUR_MS),
      action: hour % 3 === 0 ? 'token.create' : 'member.role',
      merchantId: hour === 24 ? others.id : ours.id,
      environment: OF_AN_ENVIRONMENT[hour] ?? null,
      details: { hour },
    });
  }
});
afterAll(() => database.drop());

const list = (filter: Partial<AuditFilter> = {}) =>
  listAudit(database.pool, ours.sandbox.tenant, { ...ALL, ...filter });
const hours = (page: Awaited<ReturnType<typeof list>>) =>
  page.entries.map(({ details }) => details.hour);

it('the newest first: this environment’s and those of both, never another merchant’s', async () => {
  const page = await list();
  expect(hours(page)).toEqual(Array.from({ length: 23 }, (_, i) => 22 - i));
  expect(page.nextCursor).toBeNull();
});

it('pages join without a gap or a repeat', async () => {
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await list({ cursor, limit: 4 });
    seen.push(...hours(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(hours(await list()));
});

it('pages join where many entries are of one time', async () => {
  const { id, sandbox } = await createMerchantFixture(database.pool);
  const now = new Date(START_MS);
  for (let nth = 0; nth < 10; nth++) {
    await recordAudit(database.pool, {
      actor: { type: 'operator', id: null, label: 'gateway command' },
      now,
      action: 'member.role',
      merchantId: id,
      environment: nth % 2 === 0 ? 'sandbox' : null,
      details: { nth },
    });
  }
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page = await listAudit(database.pool, sandbox.tenant, { ...ALL, cursor, limit: 3 });
    seen.push(...page.entries.map(({ details }) => details.nth));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
});

it('narrowed by person, by what was done and by time', async () => {
  expect(hours(await list({ person: 'gateway' }))).toEqual([20, 15, 10, 5, 0]);
  expect(hours(await list({ person: 'usr_1', action: 'token.create' }))).toEqual([21, 9, 3]);
  const from = { fromMs: START_MS + 2 * HOUR_MS, untilMs: START_MS + 4 * HOUR_MS };
  expect(hours(await list(from))).toEqual([3, 2]);
});

it('the choices: everybody who did something, by their last name, and what was done; of others nothing', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  // Before our first entry, and between ours.
  for (const [id, action] of [
    ['usr_', 'a.first'],
    ['usr_00', 'member.s'],
  ] as const) {
    const actor = { type: 'staff', id, label: 'other@example.com' } as const;
    await recordAudit(pool, { actor, now: new Date(START_MS), action, merchantId, details: {} });
  }
  expect(await listAuditChoices(database.pool, ours.sandbox.tenant)).toEqual({
    people: [
      { id: 'usr_0', name: 'u22@example.com' },
      { id: 'usr_1', name: 'u23@example.com' },
    ],
    actions: ['member.role', 'token.create'],
  });
});

it('a page is a bounded piece of an index, however much others have: the other environment, a later time, other people', async () => {
  const { pool } = database;
  const { id, sandbox, production } = await createMerchantFixture(pool);
  await pool.query(
    `INSERT INTO audit_log (at, actor_type, actor_id, actor_label, merchant_id, environment, action)
     SELECT $2::timestamptz + n * interval '1 second', 'staff', 'usr_' || n % 3, 'anna', $1,
            (ARRAY['sandbox', 'production', NULL]::environment[])[1 + n % 3], 'callback.resend'
     FROM generate_series(1, 300) n`,
    [id, new Date(START_MS).toISOString()],
  );
  await pool.query(
    `INSERT INTO audit_log (at, actor_type, actor_id, actor_label, merchant_id, environment, action)
     SELECT $2::timestamptz + n * interval '1 second', 'test', 'tok_1', 'sandbox token', $1,
            'sandbox', 'callback.resend'
     FROM generate_series(1, 20000) n`,
    [id, new Date(START_MS + HOUR_MS).toISOString()],
  );
  // Many entries of one person and one action, all older than the others.
  await pool.query(
    `INSERT INTO audit_log (at, actor_type, actor_id, actor_label, merchant_id, environment, action)
     SELECT $2::timestamptz - n * interval '1 second', actor, id, 'x', $1, environment, 'member.role'
     FROM generate_series(1, 3000) n,
          (VALUES ('staff'::actor_type, 'usr_old'), ('operator', NULL)) a (actor, id),
          unnest('{sandbox,NULL}'::environment[]) environment`,
    [id, new Date(START_MS).toISOString()],
  );
  await pool.query('ANALYZE audit_log');
  const limit = 10;
  const early = { fromMs: START_MS, untilMs: START_MS + HOUR_MS };
  const cases = [
    [production.tenant, {}],
    [production.tenant, { action: 'callback.resend' }],
    [production.tenant, { cursor: `${START_MS + HOUR_MS}-1` }],
    [sandbox.tenant, {}],
    [sandbox.tenant, early],
    [sandbox.tenant, { ...early, action: 'callback.resend' }],
    [sandbox.tenant, { person: 'usr_old' }],
    [sandbox.tenant, { person: 'gateway' }],
    [sandbox.tenant, { action: 'member.role' }],
    [sandbox.tenant, { person: 'usr_old', action: 'member.role' }],
    [sandbox.tenant, { person: 'gateway', action: 'member.role' }],
  ] as const;
  for (const [tenant, filter] of cases) {
    const reads: Plan[] = [];
    const asked = { ...ALL, ...filter, limit };
    const { entries } = await listAudit(explained(pool, reads), tenant, asked);
    expect(entries).toHaveLength(limit);
    expect(reads).toHaveLength(2);
    for (const read of reads) {
      expect(read['Node Type']).toMatch(/Index/);
      expect(read['Actual Rows']).toBeLessThanOrEqual(limit + 1);
      expect(read['Rows Removed by Filter'] ?? 0).toBe(0);
    }
  }
  const reads: Plan[] = [];
  expect(await listRecentAudit(explained(pool, reads), id, limit)).toHaveLength(limit);
  expect(reads.map((read) => read['Node Type'])).toEqual(new Array(3).fill('Index Scan'));
  const read = reads.reduce((sum, each) => sum + each['Actual Rows'], 0);
  expect(read).toBeLessThanOrEqual(1_000 + 2 * limit);
});

it('what was done last comes with the details that its sentences name', async () => {
  const { pool } = database;
  const actor = { type: 'operator', id: null, label: 'test' } as const;
  const now = new Date(START_MS);
  const { id: merchantId } = await createMerchantFixture(pool);
  const details = { email: 'a@example.com', role: 'support' };
  await recordAudit(pool, { actor, now, action: 'member.invite', merchantId, details });
  await recordAudit(pool, { actor, now, action: 'merchant.suspend', merchantId });
  expect(await listRecentAudit(pool, merchantId, 2)).toEqual([
    expect.objectContaining({ action: 'merchant.suspend', details: {} }),
    expect.objectContaining({ action: 'member.invite', details }),
  ]);
});

it('what sandbox tokens did pushes nothing of people’s out of what was done last', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  const staff = { type: 'staff', id: 'usr_1', label: 'a@example.com' } as const;
  const token = { type: 'test', id: 'tok_1', label: 'sandbox token' } as const;
  const at = (minute: number) => new Date(START_MS + minute * 60_000);
  const deeds = [
    { action: 'settings.name', now: at(0) },
    { action: 'token.create', environment: 'production', now: at(2) },
    { action: 'callback.resend', environment: 'sandbox', now: at(1) },
    { action: 'invoice.cancel', environment: 'production', now: at(2) },
  ] as const;
  for (const deed of deeds) await recordAudit(pool, { ...deed, merchantId, actor: staff });
  const resend = { action: 'callback.resend', actor: token, merchantId } as const;
  for (let nth = 0; nth < 40; nth++) {
    await recordAudit(pool, { ...resend, environment: 'sandbox', now: at(3) });
  }
  const told = async (limit: number) =>
    (await listRecentAudit(pool, merchantId, limit)).map(({ action }) => action);
  // Ordered by time, and at the same time by the latest write.
  const all = ['invoice.cancel', 'token.create', 'callback.resend', 'settings.name'];
  expect(await told(20)).toEqual(all);
  expect(await told(3)).toEqual(all.slice(0, 3));
});
