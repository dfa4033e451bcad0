import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { settings } from '../settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createStaffedShop, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const later = (ms: number) => new Date(NOW.getTime() + ms);

let database: TestDatabase;
let serial = 0;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  shop = await createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);
});
afterAll(() => database.drop());

/** A list's tokens by name. */
const named = <T extends { name: string }>(tokens: T[]) =>
  Object.fromEntries(tokens.map((token) => [token.name, token]));

it('a token ends after the days that were chosen, or never', async () => {
  const { developers } = shop.calls();
  await developers.createToken({ name: 'For a while', expiresInDays: 90 });
  await developers.createToken({ name: 'For ever', expiresInDays: null });
  expect(named((await developers.tokens()).tokens)).toMatchObject({
    'For a while': { expiresAtMs: NOW.getTime() + 90 * DAY_MS, isActive: true },
    'For ever': { expiresAtMs: null, isActive: true },
  });
});

it('a token works only from the networks that were named; what is none is refused by name', async () => {
  const { developers } = shop.calls();
  const bound = { name: 'Bound', expiresInDays: null };
  await developers.createToken({ ...bound, networks: ['2001:DB8::/32', '203.0.113.7'] });
  expect(named((await developers.tokens()).tokens).Bound).toMatchObject({
    networks: ['2001:db8::/32', '203.0.113.7'],
    lastUsedFor: null,
  });
  await expect(developers.createToken({ ...bound, networks: ['shop'] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('"shop"'),
  });
});

it('each environment lists its own tokens, and says of one that has ended that it works no more', async () => {
  await shop.calls().developers.createToken({ name: 'Of the sandbox', expiresInDays: 1 });
  const production = shop.calls({ environment: 'production' }).developers;
  await production.createToken({ name: 'Of production', expiresInDays: 1 });
  const ofProduction = named((await production.tokens()).tokens);
  expect(ofProduction['Of production']).toMatchObject({ isActive: true });
  expect(ofProduction['Of the sandbox']).toBeUndefined();
  const activeAfter = async (ms: number) =>
    named((await shop.calls({ now: later(ms) }).developers.tokens()).tokens)['Of the sandbox']
      ?.isActive;
  expect(await activeAfter(DAY_MS - 1)).toBe(true);
  expect(await activeAfter(DAY_MS)).toBe(false);
});

it('what is rotated works on for the hours that were chosen', async () => {
  const { developers } = shop.calls();
  const [token] = (await developers.tokens()).tokens;
  const tokenId = token?.id ?? '';
  const [secret] = await developers.secrets();
  await developers.rotateToken({ tokenId, overlapHours: 24 });
  await developers.rotateSecret({ overlapHours: 24 });
  const { tokens } = await developers.tokens();
  const secrets = await developers.secrets();
  const endOf = <T extends { expiresAtMs: number | null }>(one: T | undefined) => one?.expiresAtMs;
  expect(endOf(tokens.find(({ id }) => id === tokenId))).toBe(NOW.getTime() + DAY_MS);
  expect(endOf(secrets.find(({ id }) => id === secret?.id))).toBe(NOW.getTime() + DAY_MS);
  expect(tokens.filter(({ id }) => id !== tokenId)).toMatchObject([{ expiresAtMs: null }]);
  expect(secrets.filter(({ id }) => id !== secret?.id)).toMatchObject([{ expiresAtMs: null }]);
});

it('a secret is not rotated without an overlap: workers keep the keys for some seconds', async () => {
  const { developers } = shop.calls();
  const before = await developers.secrets();
  const rotated = developers.rotateSecret({ overlapHours: 0 });
  await expect(rotated).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await developers.secrets()).toEqual(before);
});

it('a token that is deactivated works no more; another merchant’s or environment’s is not found', async () => {
  const { developers } = shop.calls();
  const [token] = (await developers.tokens()).tokens;
  const tokenId = token?.id ?? '';
  const other = await createStaffedShop(database.pool, NOW, 'other@example.com');
  const theirs = other.calls().developers.deactivateToken({ tokenId });
  await expect(theirs).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const production = shop.calls({ environment: 'production' }).developers;
  const elsewhere = production.deactivateToken({ tokenId });
  await expect(elsewhere).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await developers.tokens()).tokens).toMatchObject([{ isActive: true }]);
  await developers.deactivateToken({ tokenId });
  expect((await developers.tokens()).tokens).toMatchObject([{ isActive: false }]);
});

it('each environment is told its own address', async () => {
  const { merchantId } = shop;
  for (const environment of ['sandbox', 'production'] as const) {
    const { developers } = shop.calls({ environment });
    const baseUrl = `${settings().publicUrl}/api/${environment}`;
    expect(await developers.connection()).toEqual({ merchantId, baseUrl });
  }
});
