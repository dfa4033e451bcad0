import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inTransaction } from '../db/pool.ts';
import { seal } from '../lib/encrypt.ts';
import { log } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { lockMerchant } from './lock.ts';
import {
  activeSigningSecrets,
  createSigningSecret,
  datedSigningSecrets,
  replaceSigningSecret,
} from './signing-secrets.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const at = (ms: number) => new Date(NOW_MS + ms);
const environment = 'sandbox';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newOwner = async () => ({
  merchantId: (await createMerchantFixture(database.pool)).id,
  environment: environment as 'sandbox',
});
const active = (merchantId: string, ms: number) =>
  activeSigningSecrets(database.pool, merchantId, environment, at(ms));

type Rotation = Parameters<typeof replaceSigningSecret>[1];
const rotate = (rotation: Rotation) =>
  inTransaction(database.pool, async (db) => {
    await lockMerchant(db, rotation.merchantId);
    return await replaceSigningSecret(db, rotation);
  });

/** Seals the secret made then with a key that nobody has. */
const sealByAnother = (merchantId: string, made: Date) =>
  database.pool.query(
    'UPDATE signing_secrets SET sealed = $1 WHERE merchant_id = $2 AND created_at = $3',
    [seal(randomBytes(32), 'whsec_', 'elsewhere'), merchantId, made.toISOString()],
  );

describe('signing secrets', () => {
  it('have the form of Standard Webhooks: whsec_ and 32 bytes in base64', async () => {
    const secret = await createSigningSecret(database.pool, { ...(await newOwner()), now: at(0) });
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  });

  it('sign two at a time during a rotation, newest first, then the new one alone', async () => {
    const owner = await newOwner();
    const first = await createSigningSecret(database.pool, { ...owner, now: at(0) });
    const second = await rotate({
      ...owner,
      now: at(1000),
      overlapMs: 5000,
    });
    expect(await active(owner.merchantId, 1000)).toEqual([second, first]);
    expect(await active(owner.merchantId, 5999)).toEqual([second, first]);
    expect(await active(owner.merchantId, 6000)).toEqual([second]);
  });

  it('are never three: a second rotation ends the oldest at once', async () => {
    const owner = await newOwner();
    await createSigningSecret(database.pool, { ...owner, now: at(0) });
    const rotateAt = (ms: number) => rotate({ ...owner, now: at(ms), overlapMs: 60_000 });
    const second = await rotateAt(1000);
    const third = await rotateAt(2000);
    expect(await active(owner.merchantId, 2000)).toEqual([third, second]);
    await Promise.all([rotateAt(3000), rotateAt(3000), rotateAt(3000)]);
    expect(await active(owner.merchantId, 3000)).toHaveLength(2);
    expect(await active(owner.merchantId, 63_000)).toHaveLength(1);
  });

  it('sign alone at once after a rotation without overlap, as after a leak', async () => {
    const owner = await newOwner();
    await createSigningSecret(database.pool, { ...owner, now: at(0) });
    await rotate({ ...owner, now: at(1000), overlapMs: 60_000 });
    const third = await rotate({
      ...owner,
      now: at(2000),
      overlapMs: 0,
    });
    expect(await active(owner.merchantId, 2000)).toEqual([third]);
  });

  it('sign on where those of the other environment or of another merchant are rotated', async () => {
    const owner = await newOwner();
    const production = { ...owner, environment: 'production' as const };
    const create = (of: Parameters<typeof datedSigningSecrets>[1]) =>
      createSigningSecret(database.pool, { ...of, now: at(0) });
    const [first, second] = [await create(owner), await create(production)];
    await rotate({ ...(await newOwner()), now: at(1000), overlapMs: 0 });
    expect(await active(owner.merchantId, 1000)).toEqual([first]);
    const third = await rotate({ ...owner, now: at(2000), overlapMs: 0 });
    expect(await active(owner.merchantId, 2000)).toEqual([third]);
    expect(
      await activeSigningSecrets(database.pool, owner.merchantId, 'production', at(2000)),
    ).toEqual([second]);
  });

  it('do not open in the row of another merchant', async () => {
    const [one, two] = [await newOwner(), await newOwner()];
    await createSigningSecret(database.pool, { ...one, now: at(0) });
    await database.pool.query(
      'UPDATE signing_secrets SET merchant_id = $1 WHERE merchant_id = $2',
      [two.merchantId, one.merchantId],
    );
    await expect(active(two.merchantId, 0)).rejects.toThrow('SECRETS_KEY');
  });

  it('are left out one by one where a key is lost, and told of once each', async () => {
    const owner = await newOwner();
    const first = await createSigningSecret(database.pool, { ...owner, now: at(0) });
    await rotate({ ...owner, now: at(1000), overlapMs: 5000 });
    await sealByAnother(owner.merchantId, at(1000));
    const told = vi.spyOn(log(), 'error').mockImplementation(() => undefined);
    expect(await active(owner.merchantId, 1000)).toEqual([first]);
    expect(await active(owner.merchantId, 1001)).toEqual([first]);
    expect(await datedSigningSecrets(database.pool, owner)).toMatchObject([{ secret: first }]);
    expect(told).toHaveBeenCalledTimes(1);
    // This secret alone signs nothing, and an unsigned callback is not sent.
    await expect(active(owner.merchantId, 6000)).rejects.toThrow('SECRETS_KEY opens no');
  });
});
