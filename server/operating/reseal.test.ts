import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { SEAL_CONTEXTS, seal, unseal } from '../lib/encrypt.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { resealSecrets } from './reseal.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const [OLD, NEW, FOREIGN] = [randomBytes(32), randomBytes(32), randomBytes(32)];

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase(2);
});
afterEach(() => database.drop());

/** A merchant, and a function that replaces a signing secret's sealed value. */
async function createShop() {
  const { pool } = database;
  const { merchantId, owner } = await createMerchant(pool, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  const contexts = {
    sandbox: SEAL_CONTEXTS.signingSecret(merchantId, 'sandbox'),
    production: SEAL_CONTEXTS.signingSecret(merchantId, 'production'),
    totp: SEAL_CONTEXTS.totp(owner.userId),
  };
  const put = (environment: 'sandbox' | 'production', key: Buffer, text = `whsec_${environment}`) =>
    pool.query(
      'UPDATE signing_secrets SET sealed = $3 WHERE merchant_id = $1 AND environment = $2',
      [merchantId, environment, seal(key, text, contexts[environment])],
    );
  return { merchantId, owner, contexts, put };
}

it('all that was sealed with the key before opens with the new one alone, and no more than that changes', async () => {
  const { pool } = database;
  const { owner, contexts, put } = await createShop();
  await put('sandbox', OLD);
  await put('production', NEW);
  await pool.query('UPDATE users SET totp_pending = $2 WHERE id = $1', [
    owner.userId,
    seal(OLD, 'pending', contexts.totp),
  ]);
  expect(await resealSecrets(pool, [NEW, OLD])).toEqual({ resealed: 2, unchanged: 1, lost: [] });
  const { rows } = await pool.query<{ environment: 'sandbox' | 'production'; sealed: Buffer }>(
    'SELECT environment, sealed FROM signing_secrets',
  );
  for (const { environment, sealed } of rows) {
    expect(unseal(NEW, sealed, contexts[environment])).toBe(`whsec_${environment}`);
  }
  const { rows: users } = await pool.query<{ sealed: Buffer }>(
    'SELECT totp_pending AS sealed FROM users WHERE totp_pending IS NOT NULL',
  );
  expect(unseal(NEW, users[0]?.sealed ?? Buffer.of(), contexts.totp)).toBe('pending');
  expect(await resealSecrets(pool, [NEW])).toEqual({ resealed: 0, unchanged: 3, lost: [] });

  await put('sandbox', FOREIGN);
  const { lost } = await resealSecrets(pool, [NEW, OLD]);
  expect(lost).toMatchObject([{ table: 'signing_secrets' }]);
});

it('what is rotated while it runs stays as it is', async () => {
  const { pool } = database;
  const { merchantId, contexts, put } = await createShop();
  await put('sandbox', OLD);
  await put('production', NEW);
  let rotations = 0;
  const meanwhile: Queryable = {
    query: async (config, values) => {
      if (String(config).startsWith('UPDATE')) {
        rotations += 1;
        await put('sandbox', NEW, 'whsec_rotated');
      }
      return await pool.query(config, values);
    },
  };
  const resealed = await resealSecrets(meanwhile, [NEW, OLD]);
  expect([rotations, resealed]).toEqual([1, { resealed: 0, unchanged: 2, lost: [] }]);
  const { rows } = await pool.query<{ sealed: Buffer }>(
    `SELECT sealed FROM signing_secrets WHERE merchant_id = $1 AND environment = 'sandbox'`,
    [merchantId],
  );
  expect(unseal(NEW, rows[0]?.sealed ?? Buffer.of(), contexts.sandbox)).toBe('whsec_rotated');
});
