import type { Pool } from 'pg';
import { inTransaction } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import { readableText } from '../lib/random-text.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import type { NewLink } from './types.ts';

/** 50 random bits: nobody finds a link by trying. */
const CODE_LENGTH = 10;

const INSERT = `INSERT INTO payment_links
    (id, code, merchant_id, environment, title, description, currency, amount_minor, least_minor,
     greatest_minor, max_quantity, asks_note, asks_email, asks_phone, uses_limit, ends_at,
     created_by_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`;

type By = { actor: AuditActor; now: Date };

/** Makes a link, switched on, and writes the audit log. @returns its id */
export async function createLink(
  pool: Pool,
  tenant: Tenant,
  link: NewLink,
  { actor, now }: By,
): Promise<string> {
  const id = newId('lnk', now.getTime());
  const { price } = link;
  const fixed = 'amountMinor' in price ? price.amountMinor : null;
  const [least, greatest] =
    'amountMinor' in price ? [null, null] : [price.leastMinor, price.greatestMinor];
  await inTransaction(pool, async (db) => {
    await db.query(INSERT, [
      id,
      readableText(CODE_LENGTH),
      tenant.merchantId,
      tenant.environment,
      link.title,
      link.description,
      link.currency,
      fixed,
      least,
      greatest,
      link.maxQuantity,
      link.asksNote,
      link.asksEmail,
      link.asksPhone,
      link.usesLimit,
      link.endsAtMs === null ? null : new Date(link.endsAtMs).toISOString(),
      actor.id,
      now.toISOString(),
    ]);
    await recordAudit(db, {
      actor,
      now,
      action: 'link.create',
      merchantId: tenant.merchantId,
      environment: tenant.environment,
      target: { type: 'link', id },
      details: { name: link.title },
    });
  });
  return id;
}

/**
 * Switches a link on or off, and writes the audit log where that changes anything.
 *
 * @returns false where the tenant has no such link
 */
export async function switchLink(
  pool: Pool,
  tenant: Tenant,
  { id, isOn }: { id: string; isOn: boolean },
  { actor, now }: By,
): Promise<boolean> {
  const { merchantId, environment } = tenant;
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ title: string; was_on: boolean }>(
      `SELECT title, is_on AS was_on FROM payment_links
       WHERE id = $1 AND merchant_id = $2 AND environment = $3 FOR NO KEY UPDATE`,
      [id, merchantId, environment],
    );
    const [row] = rows;
    if (!row || row.was_on === isOn) return row !== undefined;
    await db.query('UPDATE payment_links SET is_on = $2 WHERE id = $1', [id, isOn]);
    await recordAudit(db, {
      actor,
      now,
      action: isOn ? 'link.switch_on' : 'link.switch_off',
      merchantId,
      environment,
      target: { type: 'link', id },
      details: { name: row.title },
    });
    return true;
  });
}
