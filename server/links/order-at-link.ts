import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '../db/pool.ts';
import { createInvoice } from '../invoices/create.ts';
import type { NewInvoice } from '../invoices/types.ts';
import { newId } from '../lib/ids.ts';
import { readableText } from '../lib/random-text.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { linkUrl } from './address.ts';
import { LIVE_USES } from './data.ts';
import type { LinkOrder, PaymentLink } from './types.ts';

/** The time to pay an invoice that a link made: while it runs, the use is taken. */
export const TIME_TO_PAY_MS = 60 * 60_000;

// The guard is checked under the row's lock, so that the last use is taken once.
const TAKE = `
  WITH taken AS (
    UPDATE payment_links l SET uses = uses + 1
    WHERE l.id = $1::text AND l.is_on AND (l.ends_at IS NULL OR l.ends_at > $2::timestamptz)
      AND (l.uses_limit IS NULL OR l.uses < l.uses_limit)
      AND EXISTS (SELECT FROM merchants m WHERE m.id = l.merchant_id AND m.status = 'active')
    RETURNING l.id)
  INSERT INTO payment_link_uses (invoice_id, link_id, quantity, note, email, phone)
  SELECT $3::text, t.id, $4::int, $5::text, $6::text, $7::text FROM taken t`;

class NotTaken extends Error {}

/** What a buyer's form asks for. */
export type OrderCommand = {
  link: PaymentLink;
  order: LinkOrder;
  /** The same for each press of one form's button. */
  formKey: string;
};

function invoiceOf({ link, order }: OrderCommand, now: Date): NewInvoice {
  const { amountMinor, quantity } = order;
  const { currency, code } = link;
  const title = quantity > 1 ? `${link.title} × ${quantity}` : link.title;
  return {
    amountMinor: Number(amountMinor),
    currency,
    description: title,
    endDateMs: now.getTime() + TIME_TO_PAY_MS,
    positions: [{ title, amountMinor: Number(amountMinor), currency }],
    merchantTransactionId: `${code}-${readableText(12)}`,
    successUrl: null,
    // Whoever did not pay can order anew.
    errorUrl: linkUrl(code),
    callbackUrl: null,
    merchantData: null,
  };
}

/** Makes the invoice and takes the use, both or neither. @returns null where the link refuses */
async function makeInvoice(
  pool: Pool,
  command: OrderCommand,
  { now, requestId }: { now: Date; requestId: string | null },
): Promise<string | null> {
  const { link, order, formKey } = command;
  const { quantity, note, email, phone } = order;
  const id = newId('inv', now.getTime());
  // A form that comes back with other content is another order.
  const sent = JSON.stringify([formKey, String(order.amountMinor), quantity, note, email, phone]);
  const hash = createHash('sha256').update(sent).digest();
  const idempotency = {
    key: `link:${link.id}:${hash.toString('hex')}`,
    requestHash: hash,
    valuesHash: hash,
    responseBody: Buffer.from(id),
  };
  const tenant = grantTenant(link.merchantId, link.environment);
  const invoice = invoiceOf(command, now);
  try {
    return await inTransaction(pool, async (db) => {
      const made = await createInvoice(db, tenant, {
        id,
        createdAt: now,
        requestId,
        invoice,
        idempotency,
      });
      if (made.outcome === 'replayed') return made.responseBody.toString('utf8');
      if (made.outcome !== 'created') throw new Error(`an order ended as ${made.outcome}`);
      // The link is locked last: others wait for it only until the commit.
      const { rowCount } = await db.query({
        name: 'take_link_use',
        text: TAKE,
        values: [link.id, now.toISOString(), id, quantity, note, email, phone],
      });
      if (rowCount !== 1) throw new NotTaken();
      return id;
    });
  } catch (error) {
    if (error instanceof NotTaken) return null;
    throw error;
  }
}

/**
 * Takes off the uses whose invoices have ended unpaid.
 *
 * The count is a statement after the lock, so that it sees every use that was taken before; one
 * that is being taken waits for the lock and adds itself.
 *
 * @returns false where all of them are still taken
 */
async function giveBackUses(pool: Pool, linkId: string): Promise<boolean> {
  return await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      'SELECT FROM payment_links WHERE id = $1 AND uses >= uses_limit FOR NO KEY UPDATE',
      [linkId],
    );
    // Somebody else has given some back meanwhile, or the link refuses for another reason.
    if (rowCount !== 1) return true;
    const { rows } = await db.query<{ has_use: boolean }>(
      `UPDATE payment_links l SET uses = ${LIVE_USES} WHERE l.id = $1
       RETURNING l.uses < l.uses_limit AS has_use`,
      [linkId],
    );
    return rows[0]?.has_use === true;
  });
}

/**
 * Makes an invoice of an order at a link: one for a form, however often it is sent.
 *
 * A use is an invoice that is paid or can be; there are never more of them than the limit. One that
 * ended unpaid gives its use back when the limit is reached.
 *
 * @returns the invoice's id, or null where the link is off, has ended or is sold out
 */
export async function orderAtLink(
  pool: Pool,
  command: OrderCommand,
  context: { now: Date; requestId: string | null },
): Promise<string | null> {
  const made = await makeInvoice(pool, command, context);
  if (made !== null || !(await giveBackUses(pool, command.link.id))) return made;
  return await makeInvoice(pool, command, context);
}
