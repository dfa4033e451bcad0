import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../lib/opaque-token.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import type { AuditActor } from './audit.ts';
import { listAudit } from './audit-list.ts';
import { listMerchants, readMerchant } from './data.ts';
import { createMerchant, issueToken, setMerchantStatus, withdrawToken } from './mutations.ts';
import { readSettings } from './settings.ts';
import { activeSigningSecrets } from './signing-secrets.ts';
import { grantTenant } from './tenant.ts';
import { findActiveToken, listTokens } from './tokens.ts';
import type { Environment } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const actor: AuditActor = { type: 'operator', id: null, label: 'test' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const create = (ownerEmail: string, name = 'Kiosk') =>
  createMerchant(database.pool, { name, ownerEmail, actor, now: NOW });
const countOf = async (table: string) => {
  const { rows } = await database.pool.query<{ n: number }>(`SELECT count(*)::int n FROM ${table}`);
  return rows[0]?.n;
};
const actionsOn = async (merchantId: string) => {
  const { rows } = await database.pool.query<{ action: string }>(
    'SELECT action FROM audit_log WHERE merchant_id = $1 ORDER BY id',
    [merchantId],
  );
  return rows.map((row) => row.action);
};

describe('createMerchant', () => {
  it('makes owner, tokens and secrets that work, one for each environment', async () => {
    const merchant = await create('First@Example.com ');
    expect(merchant.owner.email).toBe('first@example.com');
    for (const environment of ['sandbox', 'production'] as const) {
      const { apiToken, webhookSecret } = merchant[environment];
      expect(apiToken).toMatch(new RegExp(`^gw_${environment}_[0-9A-Za-z]{43}$`));
      expect(await findActiveToken(database.pool, hashToken(apiToken), NOW)).toMatchObject({
        merchantId: merchant.merchantId,
        environment,
      });
      const secrets = await activeSigningSecrets(
        database.pool,
        merchant.merchantId,
        environment,
        NOW,
      );
      expect(secrets).toEqual([webhookSecret]);
    }
    const { rows } = await database.pool.query(
      'SELECT password_hash, role FROM users JOIN memberships ON user_id = id WHERE id = $1',
      [merchant.owner.userId],
    );
    expect(rows).toEqual([{ password_hash: null, role: 'owner' }]);
    expect(await actionsOn(merchant.merchantId)).toEqual(['merchant.create', 'person.invite']);
    expect(await readMerchant(database.pool, merchant.merchantId)).toMatchObject({
      name: 'Kiosk',
      status: 'active',
      ownerEmails: ['first@example.com'],
      createdAtMs: NOW.getTime(),
    });
  });

  it('writes no secret in the clear anywhere', async () => {
    const { sandbox, owner } = await create('clear@example.com');
    const people = ['users', 'password_resets', 'audit_log'];
    for (const table of ['api_tokens', 'signing_secrets', 'merchants', ...people]) {
      const { rows } = await database.pool.query<{ text: string }>(
        `SELECT string_agg(t::text, '') AS text FROM ${table} t`,
      );
      const hex = (value: string) => Buffer.from(value).toString('hex');
      for (const secret of [sandbox.apiToken, sandbox.webhookSecret, owner.link?.token ?? '?']) {
        expect(rows[0]?.text).not.toContain(secret);
        expect(rows[0]?.text).not.toContain(hex(secret));
      }
    }
  });

  it('gives an owner with an account another merchant', async () => {
    const first = await create('again@example.com');
    const second = await create('AGAIN@example.com', 'Second');
    expect(second.owner.userId).toBe(first.owner.userId);
    expect(await listMerchants(database.pool)).toContainEqual(
      expect.objectContaining({ id: second.merchantId, ownerEmails: ['again@example.com'] }),
    );
  });

  it('dates its receipts in the zone that is named, if there is one of that name', async () => {
    const zoneOf = async (email: string, timeZone?: string) => {
      const wish = { name: 'Kiosk', ownerEmail: email, timeZone, actor, now: NOW };
      const { merchantId } = await createMerchant(database.pool, wish);
      return (await readSettings(database.pool, grantTenant(merchantId, 'sandbox'))).timeZone;
    };
    expect(await zoneOf('named@example.com', 'Europe/Istanbul')).toBe('Europe/Istanbul');
    expect(await zoneOf('unnamed@example.com')).toBe('Asia/Tashkent');
    for (const zone of ['Mars/Olympus', '+05:00', '']) {
      await expect(zoneOf('wrong@example.com', zone)).rejects.toThrow('Time zone not found');
    }
  });

  it('makes one account when five merchants of one owner are made at once', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => create('five@example.com')));
    expect(new Set(made.map(({ owner }) => owner.userId)).size).toBe(1);
  });

  it.each([
    ['no name', '  ', 'a@b.example'],
    ['a line break in the name', 'a\nb', 'a@b.example'],
    ['a name that turns round what follows', 'a\u202eb', 'a@b.example'],
    ['a name that ends what keeps it apart', 'a\u2069b', 'a@b.example'],
    ['a name too long', 'x'.repeat(201), 'a@b.example'],
    ['no address', 'Kiosk', 'nobody'],
    ['an address with a space', 'Kiosk', 'a b@c.example'],
    ['two at signs', 'Kiosk', 'a@b@c'],
  ])('leaves nothing behind for %s', async (_, name, email) => {
    const before = await Promise.all(['merchants', 'users', 'audit_log'].map(countOf));
    await expect(create(email, name)).rejects.toMatchObject({ kind: 'validation' });
    expect(await Promise.all(['merchants', 'users', 'audit_log'].map(countOf))).toEqual(before);
  });

  it('refuses a disabled owner and leaves nothing behind', async () => {
    const { owner } = await create('disabled@example.com');
    await database.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [owner.userId]);
    const before = await countOf('merchants');
    await expect(create('disabled@example.com')).rejects.toMatchObject({ kind: 'conflict' });
    expect(await countOf('merchants')).toBe(before);
  });
});

describe('setMerchantStatus', () => {
  it('stops and revives all tokens, tells of it, and keeps it in the audit log', async () => {
    const { merchantId, sandbox } = await create('stop@example.com');
    const find = () => findActiveToken(database.pool, hashToken(sandbox.apiToken), NOW);
    const set = (status: 'active' | 'suspended') =>
      setMerchantStatus(database.pool, { merchantId, status, actor, now: NOW });
    expect(await set('suspended')).toBe('changed');
    expect(await find()).toBeNull();
    expect(await readMerchant(database.pool, merchantId)).toMatchObject({
      status: 'suspended',
      suspendedAtMs: NOW.getTime(),
    });
    expect(await set('suspended')).toBe('unchanged');
    expect(await set('active')).toBe('changed');
    expect(await find()).not.toBeNull();
    expect((await readMerchant(database.pool, merchantId))?.suspendedAtMs).toBeNull();
    expect(await actionsOn(merchantId)).toEqual([
      'merchant.create',
      'person.invite',
      'merchant.suspend',
      'merchant.resume',
    ]);
  });

  it('answers not_found for an unknown merchant', async () => {
    const change = { merchantId: 'mer_x', status: 'suspended', actor, now: NOW } as const;
    expect(await setMerchantStatus(database.pool, change)).toBe('not_found');
  });
});

describe('issueToken and withdrawToken', () => {
  it('make and end a token, with an entry in the audit log for each', async () => {
    const { merchantId } = await create('issue@example.com');
    const token = { merchantId, environment: 'sandbox', name: ' CI ', actor, now: NOW } as const;
    const { id } = await issueToken(database.pool, token);
    expect((await listTokens(database.pool, token)).tokens).toContainEqual(
      expect.objectContaining({ id, name: 'CI', deactivatedAtMs: null, isActive: true }),
    );
    const end = () => withdrawToken(database.pool, { ...token, tokenId: id });
    expect(await end()).toBe('deactivated');
    expect(await end()).toBe('unchanged');
    expect(await actionsOn(merchantId)).toEqual([
      'merchant.create',
      'person.invite',
      'token.create',
      'token.deactivate',
    ]);
    const filter = { person: null, fromMs: null, untilMs: null, cursor: null, limit: 10 };
    const ended = { ...filter, action: 'token.deactivate' };
    const log = (environment: Environment) =>
      listAudit(database.pool, grantTenant(merchantId, environment), ended);
    expect((await log('sandbox')).entries).toEqual([
      expect.objectContaining({
        target: { type: 'token', id },
        details: { name: 'CI', prefix: expect.stringMatching(/^gw_sandbox_\w{4}$/) },
      }),
    ]);
    expect((await log('production')).entries).toEqual([]);
  });

  it('refuse an unknown merchant', async () => {
    const token = { environment: 'sandbox', name: 'x', actor, now: NOW } as const;
    await expect(
      issueToken(database.pool, { merchantId: 'mer_x', ...token }),
    ).rejects.toMatchObject({ kind: 'not_found' });
  });
});
