import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import type { InvoiceStatus } from '../invoices/types.ts';
import { GatewayError } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { demandRightClock } from '../payments/context.ts';
import { refundTraitsOf } from '../payments/providers/registry.ts';
import { askAcquirer } from './ask.ts';
import { findRefund } from './data.ts';
import { leaseEnd } from './rechecks.ts';
import { type AnswerKey, bindKey, claimKey, keepFirstAnswer } from './replays.ts';
import { openRefund } from './transition.ts';
import type { NewRefund, Refund, RefundActor } from './types.ts';

type Paid = {
  status: InvoiceStatus;
  amount_minor: string;
  left_minor: string;
  provider: string | null;
  account_id: string | null;
};

/** Locks the invoice's row until the transaction ends; its status as a reader sees it. */
async function lockInvoice(
  db: Queryable,
  { merchantId, environment }: Tenant,
  invoiceId: string,
  now: Date,
): Promise<Paid> {
  const { rows } = await db.query<Paid>({
    name: 'refund_lock_invoice',
    text: `
      SELECT CASE WHEN i.status = 'PENDING' AND i.capture_attempt_id IS NULL AND i.end_date < $4
                  THEN 'EXPIRED' ELSE i.status::text END AS status,
             i.amount_minor::text, (i.amount_minor - i.refunded_minor)::text AS left_minor,
             p.provider, p.account_id
      FROM invoices i LEFT JOIN payment_attempts p ON p.id = i.capture_attempt_id
      WHERE i.id = $1 AND i.merchant_id = $2 AND i.environment = $3::environment
      FOR NO KEY UPDATE OF i`,
    values: [invoiceId, merchantId, environment, now.toISOString()],
  });
  if (!rows[0]) throw new GatewayError('invoice_not_found');
  return rows[0];
}

async function demandUnused(db: Queryable, tenant: Tenant, transactionId: string): Promise<void> {
  const { rowCount } = await db.query({
    name: 'refund_by_transaction_id',
    text: `SELECT FROM refunds
           WHERE merchant_id = $1 AND environment = $2::environment AND refund_transaction_id = $3`,
    values: [tenant.merchantId, tenant.environment, transactionId],
  });
  if (rowCount !== 0) throw new GatewayError('refund_exists');
}

/** The sum to refund. @throws GatewayError `conflict` for one that cannot be */
function amountOf(paid: Paid, wanted: bigint | null): bigint {
  const { status, provider, account_id: accountId } = paid;
  if (status !== 'PAID' || provider === null) throw new GatewayError('refund_not_paid', { status });
  const { refunds, title: acquirer } = refundTraitsOf({ provider, accountId });
  if (refunds === 'outside' || refunds === 'none') {
    throw new GatewayError('refund_outside', { acquirer });
  }
  const left = BigInt(paid.left_minor);
  const amountMinor = wanted ?? left;
  if (amountMinor > left || left === 0n) {
    throw new GatewayError('refund_too_much', { left: left.toString() });
  }
  const isWhole = amountMinor === BigInt(paid.amount_minor);
  if (refunds === 'full' && !isWhole) throw new GatewayError('refund_whole', { acquirer });
  return amountMinor;
}

type Options = { actor: RefundActor; audit: AuditActor | null; key: AnswerKey | null };

async function open(
  db: Queryable,
  tenant: Tenant,
  wanted: NewRefund,
  { actor, audit, now }: Pick<Options, 'actor' | 'audit'> & { now: Date },
): Promise<Refund> {
  const { invoiceId, refundTransactionId, reason } = wanted;
  const paid = await lockInvoice(db, tenant, invoiceId, now);
  await demandUnused(db, tenant, refundTransactionId);
  const amountMinor = amountOf(paid, wanted.amountMinor);
  const recoverAt = leaseEnd(now);
  const sum = { invoiceId, refundTransactionId, amountMinor, reason };
  const refund = await openRefund(db, { ...sum, reference: null, actor, recoverAt }, now);
  // The row is locked, so nothing can have changed meanwhile.
  if (!refund) throw new Error(`${invoiceId} was not refunded`);
  if (audit) {
    await recordAudit(db, {
      actor: audit,
      now,
      action: 'refund.create',
      merchantId: tenant.merchantId,
      environment: tenant.environment,
      target: { type: 'invoice', id: invoiceId },
      details: { refund: refund.id, amount: Number(amountMinor), currency: refund.currency },
    });
  }
  return refund;
}

const ONE_TRANSACTION_ID = 'refunds_merchant_id_environment_refund_transaction_id_key';

/** What a request begins: a refund, a refusal, or the wait for the answer to an earlier request. */
type Begun = { refund: Refund } | { refusal: GatewayError } | { isRepeat: true };

/** Writes a refund with what was asked, before the acquirer is. A refusal uses up the key as well. */
async function begin(
  pool: Pool,
  tenant: Tenant,
  wanted: NewRefund,
  { key, ...options }: Options & { now: Date },
): Promise<Begun> {
  return await inTransaction(pool, async (db) => {
    if (key && !(await claimKey(db, tenant, key, options.now))) return { isRepeat: true };
    try {
      const refund = await open(db, tenant, wanted, options);
      if (key) await bindKey(db, tenant, key, refund.id);
      return { refund };
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind !== 'conflict') throw error;
      if (key) await keepFirstAnswer(db, tenant, key, key.refusalBody(error));
      return { refusal: error };
    }
  });
}

async function beginOnce(...args: Parameters<typeof begin>): Promise<Begun> {
  try {
    return await begin(...args);
  } catch (error) {
    // Another invoice's refund took the id at the same moment: it is found now.
    if ((error as { constraint?: string }).constraint !== ONE_TRANSACTION_ID) throw error;
    return await begin(...args);
  }
}

/**
 * Refunds a PAID invoice, whole or in part. The refund is written before the acquirer is asked, and
 * its id is the key there; what dies in between is finished by recovery.
 *
 * @param options.audit the author of an entry in the audit log; null for a merchant's server
 * @param options.key of the request; with it, a repeat is answered by `readFirstAnswer`
 * @returns the refund, PENDING while the acquirer has not answered
 * @throws GatewayError `not_found`, or `unavailable` where this process's clock is wrong
 */
export async function requestRefund(
  pool: Pool,
  tenant: Tenant,
  wanted: NewRefund,
  { clock, ...options }: Options & { clock: () => Date },
): Promise<Begun> {
  await demandRightClock(pool);
  const begun = await beginOnce(pool, tenant, wanted, { ...options, now: clock() });
  if (!('refund' in begun)) return begun;
  const { id } = begun.refund;
  try {
    await askAcquirer(pool, id, { clock, isNew: true });
  } catch (err) {
    log().error({ err, refundId: id }, 'asking for a refund');
  }
  return { refund: (await findRefund(pool, id)) ?? begun.refund };
}
