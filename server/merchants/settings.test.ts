import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ERRORS } from '../lib/error-codes.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import type { AuditActor } from './audit.ts';
import { logoType } from './logo-image.ts';
import {
  type MerchantSettings,
  readLogo,
  readSettings,
  saveLogo,
  saveSettings,
} from './settings.ts';
import { readStorefront } from './storefront.ts';
import type { SellerDetails } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const actor: AuditActor = { type: 'staff', id: 'usr_1', label: 'owner@shop.example' };
const SELLER: SellerDetails = {
  legalName: null,
  taxNumber: null,
  legalAddress: null,
  supportEmail: null,
  supportPhone: null,
  supportTelegram: null,
  termsUrl: null,
  refundPolicyUrl: null,
};
const WANTED: MerchantSettings = {
  ...SELLER,
  name: ' Kiosk ',
  brandColor: '#AB12CD',
  defaultLocale: 'uz',
  timeZone: 'Asia/Tashkent',
};

// Small pictures as a browser makes them.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwwZ/v8HAB32BPx3U9M+AAAAAElFTkSuQmCC',
  'base64',
);
const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  merchant = await createMerchantFixture(database.pool);
});

const tenant = () => merchant.sandbox.tenant;
const save = (more: Partial<MerchantSettings> & { version?: number } = {}) =>
  saveSettings(database.pool, tenant(), { ...WANTED, version: 0, ...more, actor, now: NOW });
const upload = (bytes: Buffer | null) =>
  saveLogo(database.pool, tenant(), { bytes, actor, now: NOW });

async function audit() {
  const { rows } = await database.pool.query(
    'SELECT action, details FROM audit_log WHERE merchant_id = $1 ORDER BY id',
    [merchant.id],
  );
  return rows;
}

describe('saving the settings', () => {
  test('leaves a name of before the rule for names as it is, and takes no new one like it', async () => {
    const { pool } = database;
    const name = 'Coffee @ Home';
    await pool.query('UPDATE merchants SET name = $2 WHERE id = $1', [merchant.id, name]);
    expect(await save({ name, timeZone: 'UTC' })).toMatchObject({ name, timeZone: 'UTC' });
    await expect(save({ name: `${name} 2`, version: 1 })).rejects.toThrow('cannot be an address');
  });

  test('leaves a zone that this Node does not know, and takes one by a name that it does not list', async () => {
    const { pool } = database;
    const timeZone = 'Mars/Olympus';
    await pool.query('UPDATE merchants SET time_zone = $2 WHERE id = $1', [merchant.id, timeZone]);
    expect(await save({ timeZone, name: 'Kiosk' })).toMatchObject({ timeZone, name: 'Kiosk' });
    for (const [index, zone] of ['Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv'].entries()) {
      const saved = await save({ name: 'Kiosk', timeZone: zone, version: index + 1 });
      expect(saved).toMatchObject({ timeZone: zone, version: index + 2 });
    }
    await expect(save({ timeZone, version: 4 })).rejects.toThrow('Time zone not found');
  });

  test('shows them to buyers at once and writes what changed to the audit log', async () => {
    expect(await save()).toEqual(await readSettings(database.pool, tenant()));
    expect(await readStorefront(database.pool, merchant.id)).toMatchObject({
      name: 'Kiosk',
      brandColor: '#ab12cd',
      defaultLocale: 'uz',
      timeZone: 'Asia/Tashkent',
    });
    await save({ version: 1, name: 'Kiosk', timeZone: 'UTC' });
    expect(await audit()).toMatchObject([
      { action: 'settings.save', details: { name: 'Kiosk', brandColor: '#ab12cd' } },
      { action: 'settings.save', details: { timeZone: 'UTC' } },
    ]);
    expect((await audit())[1].details).toEqual({ timeZone: 'UTC' });
  });

  test('of several at once one wins, and the others are told', async () => {
    const names = ['One', 'Two', 'Three', 'Four'];
    const saves = await Promise.allSettled(names.map((name) => save({ name })));
    expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = names[saves.findIndex(({ status }) => status === 'fulfilled')];
    expect(await readSettings(database.pool, tenant())).toMatchObject({ name: winner, version: 1 });
    expect(await audit()).toHaveLength(1);
    await expect(save({ version: 0 })).rejects.toThrow('Someone else has saved');
  });

  test('that change nothing counts no version and writes no entry, but is told of a change meanwhile', async () => {
    await save();
    const again = await save({ version: 1, name: 'Kiosk', brandColor: '#ab12cd' });
    expect(again.version).toBe(1);
    expect(await readSettings(database.pool, tenant())).toMatchObject({ version: 1 });
    expect(await audit()).toHaveLength(1);
    await expect(save()).rejects.toMatchObject({ kind: 'conflict' });
  });

  test.each<[string, Partial<MerchantSettings>]>([
    ['an empty name', { name: '  ' }],
    ['a name with an address', { name: 'Confirm now: https://evil.example/login' }],
    ['a name with a host', { name: 'Visit WWW.evil.example' }],
    ['a name with an e-mail address', { name: 'help@evil.example' }],
    ['a name of two lines', { name: 'Shop\nConfirm now' }],
    ['a name of two lines, as Unicode breaks them', { name: 'Shop\u2028Confirm now' }],
    ['a colour that is none', { brandColor: 'red;}' }],
    ['a colour that is short', { brandColor: '#abc' }],
    ['an unknown zone', { timeZone: 'Mars/Olympus' }],
  ])('refuses %s', async (_, wrong) => {
    await expect(save(wrong)).rejects.toMatchObject({ kind: 'validation' });
    expect(await audit()).toEqual([]);
  });
});

describe('who gets the money', () => {
  test('is stored as buyers read it, shown to them at once, and audited', async () => {
    await save({
      legalName: ' “Kiosk” LLC ',
      taxNumber: '301 234 567',
      legalAddress: '1 Navoi Street, Tashkent',
      supportEmail: ' Help@Kiosk.example ',
      supportPhone: '+998 (71) 200-00-00',
      supportTelegram: 'https://t.me/kiosk_help',
      termsUrl: 'https://kiosk.example/terms',
      refundPolicyUrl: '',
    });
    const seller = {
      legalName: '“Kiosk” LLC',
      taxNumber: '301234567',
      legalAddress: '1 Navoi Street, Tashkent',
      supportEmail: 'help@kiosk.example',
      supportPhone: '+998 (71) 200-00-00',
      supportTelegram: 'kiosk_help',
      termsUrl: 'https://kiosk.example/terms',
      refundPolicyUrl: null,
    };
    expect(await readStorefront(database.pool, merchant.id)).toMatchObject({ seller });
    expect(await readSettings(database.pool, tenant())).toMatchObject(seller);
    const { refundPolicyUrl: _, ...told } = seller;
    expect(await audit()).toMatchObject([{ action: 'settings.save', details: told }]);
    await save({ version: 1 });
    expect(await readStorefront(database.pool, merchant.id)).toMatchObject({ seller: SELLER });
  });

  test.each<[keyof typeof ERRORS, Partial<SellerDetails>]>([
    ['legal_name_invalid', { legalName: 'Win at https://evil.example' }],
    ['legal_name_invalid', { legalName: 'x'.repeat(201) }],
    ['tax_number_characters', { taxNumber: '12;34' }],
    ['tax_number_digits', { taxNumber: '3012345' }],
    ['tax_number_check', { taxNumber: '7707329153' }],
    ['legal_address_invalid', { legalAddress: 'Navoi 1\nTashkent' }],
    ['email_invalid', { supportEmail: 'help at kiosk' }],
    ['support_phone_invalid', { supportPhone: '+998 call us' }],
    ['support_phone_invalid', { supportPhone: '12' }],
    ['support_telegram_invalid', { supportTelegram: 'https://evil.example/kiosk' }],
    ['support_telegram_invalid', { supportTelegram: '@1x' }],
    ['terms_url_invalid', { termsUrl: 'http://kiosk.example/terms' }],
    ['terms_url_invalid', { termsUrl: 'https://a:b@kiosk.example/' }],
    ['policy_url_invalid', { refundPolicyUrl: 'javascript:alert(1)' }],
  ])('is refused as %s: %o', async (code, wrong) => {
    await expect(save(wrong)).rejects.toMatchObject({ code });
    expect(await audit()).toEqual([]);
  });
});

describe('the logo', () => {
  test('is served under an address with its hash until it is replaced', async () => {
    const first = await upload(PNG);
    expect(first).toMatch(new RegExp(`^/api/logo/${merchant.id}/[0-9a-f]{32}\\.png$`));
    const hashOf = (url: string | null) => /([0-9a-f]{32})\./.exec(url ?? '')?.[1] ?? '';
    const read = (url: string | null) =>
      readLogo(database.pool, { merchantId: merchant.id, hash: hashOf(url) });
    expect(await read(first)).toEqual({ contentType: 'image/png', bytes: PNG });
    const second = await upload(WEBP);
    expect(await read(first)).toBeNull();
    expect(await read(second)).toEqual({ contentType: 'image/webp', bytes: WEBP });
    expect((await readStorefront(database.pool, merchant.id))?.logoUrl).toBe(second);
    expect(await upload(null)).toBeNull();
    expect(await read(second)).toBeNull();
    expect((await audit()).map(({ action }) => action)).toEqual([
      'settings.logo',
      'settings.logo',
      'settings.logo_removed',
    ]);
  });

  test('that is there already, or none where there is none, is no change', async () => {
    await upload(null);
    const url = await upload(PNG);
    expect(await upload(PNG)).toBe(url);
    expect((await audit()).map(({ action }) => action)).toEqual(['settings.logo']);
  });

  test('is told by its bytes alone, and nothing else is taken', async () => {
    expect([logoType(PNG), logoType(WEBP)]).toEqual(['image/png', 'image/webp']);
    const wide = Buffer.from(PNG);
    wide.writeUInt32BE(513, 16);
    const refused = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>')]),
      Buffer.concat([WEBP, Buffer.from('x')]),
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      wide,
      Buffer.alloc(41 * 1024),
      Buffer.concat([PNG.subarray(0, 60), Buffer.alloc(41 * 1024), PNG.subarray(-12)]),
      PNG.subarray(0, 20),
      Buffer.alloc(0),
    ];
    for (const bytes of refused) {
      expect(logoType(bytes)).toBeNull();
      await expect(upload(bytes)).rejects.toMatchObject({ kind: 'validation' });
    }
    expect(await audit()).toEqual([]);
  });
});
