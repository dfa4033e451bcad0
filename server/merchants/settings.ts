import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { DEFAULT_LOCALE, isLocale, type Locale } from '../lib/locales.ts';
import { foldCase } from '../lib/typed-text.ts';
import { type AuditActor, recordAudit } from './audit.ts';
import { logoType } from './logo-image.ts';
import { checkMerchantName, checkTimeZone } from './mutations.ts';
import { checkSeller, SELLER_SELECTED, sellerAssignments } from './seller.ts';
import { SELLER_FIELDS, type SellerDetails, type Tenant } from './types.ts';

/** How a merchant presents itself, the same in both environments. */
export type MerchantSettings = SellerDetails & {
  name: string;
  /** `#rrggbb`, or null for the gateway's own. */
  brandColor: string | null;
  /** The language for buyers whose browser asks for none of ours. */
  defaultLocale: Locale;
  /** IANA name. */
  timeZone: string;
};

/** @param version counts the changes; a save names the version that was seen */
export type StoredSettings = MerchantSettings & { logoUrl: string | null; version: number };

type Row = Omit<StoredSettings, 'defaultLocale'> & { defaultLocale: string };

const COLUMNS = `name, brand_color AS "brandColor", default_locale AS "defaultLocale",
  time_zone AS "timeZone", logo_url AS "logoUrl", settings_version AS version,
  ${SELLER_SELECTED}`;

/** @throws GatewayError `not_found` */
export async function readSettings(db: Queryable, { merchantId }: Tenant): Promise<StoredSettings> {
  const { rows } = await db.query<Row>(`SELECT ${COLUMNS} FROM merchants WHERE id = $1`, [
    merchantId,
  ]);
  const [row] = rows;
  if (!row) throw new GatewayError('merchant_not_found');
  const defaultLocale = isLocale(row.defaultLocale) ? row.defaultLocale : DEFAULT_LOCALE;
  return { ...row, defaultLocale };
}

/**
 * @param before values that may stay although they are no longer valid: a name from before today's
 *   rule, a zone that only another web's Node knows
 */
function checked(settings: MerchantSettings, before: MerchantSettings): MerchantSettings {
  const name = settings.name === before.name ? before.name : checkMerchantName(settings.name);
  const brandColor = settings.brandColor && foldCase(settings.brandColor);
  if (brandColor !== null && !/^#[0-9a-f]{6}$/.test(brandColor)) {
    throw new GatewayError('colour_invalid');
  }
  if (settings.timeZone !== before.timeZone) checkTimeZone(settings.timeZone);
  return { ...settings, name, brandColor, ...checkSeller(settings) };
}

const SAVE = `
  UPDATE merchants SET name = $3, brand_color = $4, default_locale = $5, time_zone = $6,
    ${sellerAssignments(7)}, settings_version = settings_version + 1
  WHERE id = $1 AND settings_version = $2`;

/**
 * Saves settings that somebody changed after seeing version `version`, and writes the changes to
 * the audit log; without changes there is no new version and no entry.
 *
 * @returns the resulting settings
 * @throws GatewayError `validation`; `conflict` when somebody else saved meanwhile
 */
export async function saveSettings(
  pool: Pool,
  tenant: Tenant,
  change: MerchantSettings & { version: number; actor: AuditActor; now: Date },
): Promise<StoredSettings> {
  const { version, actor, now, ...given } = change;
  const { merchantId } = tenant;
  return await inTransaction(pool, async (db) => {
    const before = await readSettings(db, tenant);
    if (before.version !== version) throw new GatewayError('settings_changed');
    const next = checked(given, before);
    const changed = (Object.keys(next) as (keyof MerchantSettings)[]).filter(
      (key) => next[key] !== before[key],
    );
    if (changed.length === 0) return before;
    const { name, brandColor, defaultLocale, timeZone } = next;
    const seller = SELLER_FIELDS.map((each) => next[each]);
    const values = [merchantId, version, name, brandColor, defaultLocale, timeZone, ...seller];
    const { rowCount } = await db.query(SAVE, values);
    if (rowCount !== 1) throw new GatewayError('settings_changed');
    const details = Object.fromEntries(changed.map((key) => [key, next[key]]));
    const target = { type: 'merchant', id: merchantId };
    await recordAudit(db, { actor, now, action: 'settings.save', merchantId, target, details });
    return { ...before, ...next, version: version + 1 };
  });
}

const ENDINGS = { 'image/png': 'png', 'image/webp': 'webp' };
const HASH_CHARACTERS = 32;

/**
 * Sets or removes the merchant's logo. The payment page loads it from our own address with the
 * picture's hash, so that it may be cached forever.
 *
 * @param bytes PNG or WebP, at most 40 KiB and 512 pixels a side; null for none
 * @returns the logo's path on our own origin
 * @throws GatewayError `validation` for anything else
 */
export async function saveLogo(
  pool: Pool,
  { merchantId }: Tenant,
  { bytes, actor, now }: { bytes: Buffer | null; actor: AuditActor; now: Date },
): Promise<string | null> {
  const type = bytes && logoType(bytes);
  if (bytes && !type) {
    throw new GatewayError('logo_invalid');
  }
  const hash = bytes ? createHash('sha256').update(bytes).digest('hex') : '';
  const name = hash.slice(0, HASH_CHARACTERS);
  const logoUrl = type ? `/api/logo/${merchantId}/${name}.${ENDINGS[type]}` : null;
  await inTransaction(pool, async (db) => {
    // Concurrent uploads take turns, so that address and picture match.
    const { rowCount } = await db.query(
      'UPDATE merchants SET logo_url = $2 WHERE id = $1 AND logo_url IS DISTINCT FROM $2',
      [merchantId, logoUrl],
    );
    // The address holds the picture's hash, so it is the current logo already.
    if (rowCount !== 1) return;
    await db.query('DELETE FROM merchant_logos WHERE merchant_id = $1', [merchantId]);
    if (bytes && type) {
      await db.query(
        `INSERT INTO merchant_logos (merchant_id, hash, content_type, bytes, created_at)
         VALUES ($1, $2, $3, $4, $5)`,
        [merchantId, name, type, bytes, now.toISOString()],
      );
    }
    const action = bytes ? 'settings.logo' : 'settings.logo_removed';
    const target = { type: 'merchant', id: merchantId };
    await recordAudit(db, { actor, now, action, merchantId, target });
  });
  return logoUrl;
}

/** A merchant's logo, if its hash is still this one: public. */
export async function readLogo(
  db: Queryable,
  { merchantId, hash }: { merchantId: string; hash: string },
): Promise<{ contentType: string; bytes: Buffer } | null> {
  const { rows } = await db.query<{ contentType: string; bytes: Buffer }>({
    name: 'logo_read',
    text: `SELECT content_type AS "contentType", bytes FROM merchant_logos
           WHERE merchant_id = $1::text AND hash = $2::text`,
    values: [merchantId, hash],
  });
  return rows[0] ?? null;
}
