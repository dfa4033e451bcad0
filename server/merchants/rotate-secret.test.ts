import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { rotateSecretByStaff } from './rotate-secret.ts';
import {
  activeSigningSecrets,
  createSigningSecret,
  listSigningSecrets,
} from './signing-secrets.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const at = (ms: number) => new Date(NOW_MS + ms);
const actor = { type: 'staff', id: 'usr_1', label: 'dev@shop.example' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
let first: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  merchant = await createMerchantFixture(database.pool);
  const owner = { merchantId: merchant.id, environment: 'sandbox' as const };
  first = await createSigningSecret(database.pool, { ...owner, now: at(0) });
});

const rotate = (ms: number, endsSecretId: string | null = null) =>
  rotateSecretByStaff(database.pool, merchant.sandbox.tenant, {
    ...{ endsSecretId, overlapMs: DAY_MS, actor, now: at(ms) },
  });
const active = (ms: number) => activeSigningSecrets(database.pool, merchant.id, 'sandbox', at(ms));
const idOfOldest = async (ms: number) =>
  (await listSigningSecrets(database.pool, merchant.sandbox.tenant, at(ms))).at(-1)?.id ?? '';

test('a second rotation is refused, and the secret that servers verify with signs on', async () => {
  const second = await rotate(1);
  await expect(rotate(2)).rejects.toMatchObject({ kind: 'conflict' });
  await expect(rotate(2, 'sec_another')).rejects.toMatchObject({ kind: 'conflict' });
  expect(await active(2)).toEqual([second, first]);
  const { rows } = await database.pool.query(
    `SELECT action FROM audit_log WHERE merchant_id = $1 AND action = 'signing_secret.rotate'`,
    [merchant.id],
  );
  expect(rows).toHaveLength(1);
});

test('it ends the secret on its way out for whoever names that one, and no other', async () => {
  const second = await rotate(1);
  const leaving = await idOfOldest(2);
  const third = await rotate(2, leaving);
  expect(await active(2)).toEqual([third, second]);
  await expect(rotate(3, leaving)).rejects.toMatchObject({ kind: 'conflict' });
});

test('of two rotations at once one is refused', async () => {
  const outcomes = await Promise.allSettled([rotate(1), rotate(1)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await active(1)).toContain(first);
});

test('once the one before has ended nothing is asked, whatever the page still names', async () => {
  const second = await rotate(1);
  const ended = await idOfOldest(1);
  const third = await rotate(1 + DAY_MS, ended);
  expect(await active(1 + DAY_MS)).toEqual([third, second]);
});
