import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../lib/opaque-token.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { setMerchantStatus } from './mutations.ts';
import { createToken, deactivateToken, findActiveToken, listTokens } from './tokens.ts';
import { DEFAULT_SCOPES, type Environment } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date('2026-11-21T13:00:00.000Z');

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  merchantId = (await createMerchantFixture(database.pool)).id;
});
afterAll(() => database.drop());

const create = (expiresAt?: Date) =>
  createToken(database.pool, {
    merchantId,
    environment: 'production',
    name: 'x',
    expiresAt,
    now: NOW,
  });
const find = (token: string, now = NOW) => findActiveToken(database.pool, hashToken(token), now);

describe('findActiveToken', () => {
  it('knows a token by its hash, with its merchant, environment and scopes', async () => {
    const { id, token, prefix } = await create();
    expect(await find(token)).toEqual({
      tokenId: id,
      merchantId,
      environment: 'production',
      expiresAtMs: null,
      scopes: DEFAULT_SCOPES,
      networks: [],
    });
    expect(token.startsWith(prefix)).toBe(true);
    expect(prefix).toMatch(/^gw_production_[0-9A-Za-z]{4}$/);
  });

  it('knows no token that was never made', async () => {
    expect(await find('gw_production_nothing')).toBeNull();
  });

  it('knows an expiring token until its time and not at it', async () => {
    const { token } = await create(LATER);
    expect(await find(token, new Date(LATER.getTime() - 1))).not.toBeNull();
    expect(await find(token, LATER)).toBeNull();
  });

  it('knows a deactivated token no more', async () => {
    const { id, token } = await create();
    const end = (owner: string, environment: Environment = 'production') =>
      deactivateToken(database.pool, { merchantId: owner, environment, tokenId: id, now: NOW });
    expect(await end('another merchant')).toBe('not_found');
    expect(await end(merchantId, 'sandbox')).toBe('not_found');
    expect(await find(token)).not.toBeNull();
    expect(await end(merchantId)).toBe('deactivated');
    expect(await find(token)).toBeNull();
    expect(await end(merchantId)).toBe('unchanged');
    const asked = { merchantId, environment: 'production', now: NOW } as const;
    expect((await listTokens(database.pool, asked)).tokens).toContainEqual(
      expect.objectContaining({ id, deactivatedAtMs: NOW.getTime(), isActive: false }),
    );
  });
});

describe('token_changed', () => {
  it('is heard for each change of a token or of its merchant, and for nothing else', async () => {
    const { id } = await create();
    const listener = new pg.Client({ connectionString: database.url });
    let heard = 0;
    listener.on('notification', () => {
      heard += 1;
    });
    await listener.connect();
    await listener.query('LISTEN token_changed');
    const count = async (work: () => Promise<unknown>) => {
      heard = 0;
      await work();
      await listener.query('SELECT 1');
      return heard;
    };
    const token = { merchantId, environment: 'production', tokenId: id } as const;
    const end = () => deactivateToken(database.pool, { ...token, now: NOW });
    const set = (status: 'active' | 'suspended') => () =>
      setMerchantStatus(database.pool, {
        merchantId,
        status,
        actor: { type: 'operator', id: null, label: 'test' },
        now: NOW,
      });
    expect(await count(() => create())).toBe(1);
    expect(await count(end)).toBe(1);
    expect(await count(end)).toBe(0);
    expect(await count(set('suspended'))).toBe(1);
    expect(await count(set('suspended'))).toBe(0);
    expect(await count(set('active'))).toBe(1);
    await listener.end();
  });
});
