import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import type { AuditActor } from './audit.ts';
import { issueToken, withdrawToken } from './mutations.ts';
import { rotateTokenByStaff } from './rotate-token.ts';
import { listTokens } from './tokens.ts';
import type { Environment } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const MAX_ACTIVE = 100;
const ENDED_LISTED = 50;
const actor: AuditActor = { type: 'staff', id: 'usr_1', label: 'dev@shop.example' };
const FULL = {
  kind: 'conflict',
  message: 'This environment already has 100 active tokens, the maximum: deactivate one first.',
};

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const issue = (environment: Environment = 'sandbox') =>
  issueToken(database.pool, { merchantId: merchant.id, environment, name: 'x', actor, now: NOW });
const end = (tokenId: string) =>
  withdrawToken(database.pool, { ...merchant.sandbox.tenant, tokenId, actor, now: NOW });
const rotate = (tokenId: string, overlapMs: number) =>
  rotateTokenByStaff(database.pool, merchant.sandbox.tenant, {
    tokenId,
    overlapMs,
    actor,
    now: NOW,
  });

/** Makes sandbox tokens, a minute apart from an hour ago on; returns their ids. */
async function fill(count: number, { endedAt }: { endedAt?: (n: number) => Date } = {}) {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO api_tokens
       (id, merchant_id, environment, name, prefix, token_hash, created_at, deactivated_at)
     SELECT 'tok_' || gen_random_uuid(), $1, 'sandbox', 'x', 'gw_sandbox_xxxx',
            sha256(gen_random_uuid()::text::bytea),
            $2::timestamptz + (n - 1) * interval '1 minute', ended_at
     FROM unnest($3::timestamptz[]) WITH ORDINALITY AS t (ended_at, n) ORDER BY n RETURNING id`,
    [
      merchant.id,
      at(-MAX_ACTIVE).toISOString(),
      Array.from({ length: count }, (_, n) => endedAt?.(n).toISOString() ?? null),
    ],
  );
  return rows.map(({ id }) => id);
}

it('a hundred tokens work in an environment; one more is refused until one has ended', async () => {
  const [first = ''] = await fill(MAX_ACTIVE);
  await expect(issue()).rejects.toMatchObject(FULL);
  await issue('production');
  await end(first);
  await issue();
  await expect(issue()).rejects.toMatchObject(FULL);
});

it('of several made at once there are a hundred', async () => {
  await fill(MAX_ACTIVE - 2);
  const made = await Promise.allSettled([issue(), issue(), issue(), issue(), issue()]);
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
});

it('a rotation without an overlap takes the place of the one before, and one with it needs another', async () => {
  const [first = '', second = '', third = ''] = await fill(MAX_ACTIVE);
  await expect(rotate(first, MINUTE_MS)).rejects.toMatchObject(FULL);
  await rotate(first, 0);
  await end(second);
  await expect(issue()).resolves.toBeDefined();
  // A merchant with more tokens from before can still replace a leaked one.
  await fill(2);
  await expect(rotate(third, 0)).resolves.toBeDefined();
});

it('lists all that work and the fifty that ended last, and how many ended before those', async () => {
  const ended = await fill(60, { endedAt: (n) => at(-n) });
  const active = await fill(MAX_ACTIVE);
  const asked = { ...merchant.sandbox.tenant, now: NOW };
  const { tokens, endedEarlier } = await listTokens(database.pool, asked);
  expect(endedEarlier).toBe(60 - ENDED_LISTED);
  const ids = (isActive: boolean) =>
    tokens.filter((token) => token.isActive === isActive).map(({ id }) => id);
  expect(ids(true)).toEqual(active.toReversed());
  expect(ids(false)).toEqual(ended.slice(0, ENDED_LISTED));
  const elsewhere = { ...merchant.production.tenant, now: NOW };
  expect(await listTokens(database.pool, elsewhere)).toEqual({ tokens: [], endedEarlier: 0 });
});
