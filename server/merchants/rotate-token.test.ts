import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '../lib/opaque-token.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import type { AuditActor } from './audit.ts';
import { rotateTokenByStaff } from './rotate-token.ts';
import { createToken, deactivateToken, findActiveToken, listTokens } from './tokens.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const later = (ms: number) => new Date(NOW.getTime() + ms);
const actor: AuditActor = { type: 'staff', id: 'usr_1', label: 'dev@shop.example' };

let database: TestDatabase;
let merchant: MerchantFixture;
let old: { id: string; token: string };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const make = (expiresAt: Date | null) =>
  createToken(database.pool, {
    merchantId: merchant.id,
    environment: 'sandbox',
    name: 'web shop',
    expiresAt,
    now: NOW,
  });

beforeEach(async () => {
  merchant = await createMerchantFixture(database.pool);
  old = await make(later(90 * DAY_MS));
});

const rotate = (tokenId = old.id, overlapMs = HOUR_MS, now = NOW) =>
  rotateTokenByStaff(database.pool, merchant.sandbox.tenant, { tokenId, overlapMs, actor, now });
const listed = async (now = NOW) =>
  (await listTokens(database.pool, { ...merchant.sandbox.tenant, now })).tokens;
const works = async (token: string, at: Date) =>
  (await findActiveToken(database.pool, hashToken(token), at)) !== null;

describe('rotating a token', () => {
  test('both work during the overlap, then the new one, for as long as the old one was made for', async () => {
    const now = later(DAY_MS);
    const made = await rotate(old.id, HOUR_MS, now);
    expect(await works(old.token, later(DAY_MS + HOUR_MS - 1))).toBe(true);
    expect(await works(old.token, later(DAY_MS + HOUR_MS))).toBe(false);
    expect(await works(made.token, later(91 * DAY_MS - 1))).toBe(true);
    expect(await works(made.token, later(91 * DAY_MS))).toBe(false);
    const [newest] = await listed(now);
    expect(newest).toMatchObject({ id: made.id, name: 'web shop', environment: 'sandbox' });
    const { rows } = await database.pool.query(
      'SELECT action, target_id, details::text FROM audit_log WHERE merchant_id = $1',
      [merchant.id],
    );
    expect(rows).toMatchObject([{ action: 'token.rotate', target_id: old.id }]);
    expect(rows[0].details).not.toContain(made.token);
  });

  test('the new one works from the networks of the old one, and from nowhere else', async () => {
    const networks = ['203.0.113.0/24'];
    const bound = await createToken(database.pool, {
      ...merchant.sandbox.tenant,
      name: 'bound',
      networks,
      now: NOW,
    });
    const made = await rotate(bound.id);
    const found = await findActiveToken(database.pool, hashToken(made.token), NOW);
    expect(found?.networks).toEqual(networks);
  });

  test('without an overlap the old one ends at once', async () => {
    await rotate(old.id, 0);
    expect(await works(old.token, NOW)).toBe(false);
  });

  test('a token without an end is followed by one without', async () => {
    const endless = await make(null);
    const made = await rotate(endless.id);
    expect(await works(made.token, later(5_000 * DAY_MS))).toBe(true);
  });

  test('a second time is refused, however much sooner it would end: its lifetime is lost', async () => {
    const endless = await make(null);
    const made = await rotate(endless.id, 7 * DAY_MS);
    for (const overlapMs of [DAY_MS, 0, 30 * DAY_MS]) {
      await expect(rotate(endless.id, overlapMs)).rejects.toThrow(
        'This token has already been rotated',
      );
    }
    expect(await works(endless.token, later(7 * DAY_MS - 1))).toBe(true);
    const next = await rotate(made.id, DAY_MS);
    expect(await works(next.token, later(5_000 * DAY_MS))).toBe(true);
  });

  test('one that ends within the overlap anyway is refused', async () => {
    await expect(rotate(old.id, 90 * DAY_MS)).rejects.toThrow('ends by then anyway');
    expect(await listed()).toHaveLength(1);
  });

  test('two presses at once make one token', async () => {
    // The overlaps get shorter; none ends the token before the others do.
    const presses = await Promise.allSettled(
      [3, 2, 1, 0].map((hours) => rotate(old.id, hours * HOUR_MS)),
    );
    expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listed()).toHaveLength(2);
  });

  test('neither one that ended, nor a deactivated one, nor one of another tenant can be rotated', async () => {
    const { pool } = database;
    const other = await createMerchantFixture(pool);
    const request = { tokenId: old.id, overlapMs: 0, actor, now: NOW };
    for (const tenant of [other.sandbox.tenant, merchant.production.tenant]) {
      await expect(rotateTokenByStaff(pool, tenant, request)).rejects.toThrow('Token not found');
    }
    await expect(rotate(old.id, 0, later(90 * DAY_MS))).rejects.toThrow('Token not found');
    await deactivateToken(pool, { ...merchant.sandbox.tenant, tokenId: old.id, now: NOW });
    await expect(rotate()).rejects.toThrow('Token not found');
    expect(await listed()).toHaveLength(1);
  });
});
