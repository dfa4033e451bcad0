import { clockFault } from '../db/clock-offset.ts';
import type { Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import { processWide } from '../lib/process-wide.ts';
import type { Tenant } from '../merchants/types.ts';
import { metrics } from '../observability/metrics.ts';
import { RETURNED_COLUMNS } from './columns.ts';
import { type InvoiceRow, toInvoice, toStatusView } from './rows.ts';
import { isPastEnd } from './state.ts';
import { type InvoiceSteps, stepsOn } from './steps.ts';
import { transition } from './transition.ts';
import type { Actor, Invoice, InvoiceReference, InvoiceStatusView } from './types.ts';

type Readable = Pick<InvoiceRow, 'status' | 'end_date_ms'>;

/** Whether a read has to expire it. A wrong clock must not: the expiry would be final. */
export function isDue({ status, end_date_ms }: Readable, now: Date): boolean {
  return status === 'PENDING' && isPastEnd(end_date_ms, now.getTime()) && clockFault() === null;
}

/**
 * The status of an invoice of the tenant, or null if it does not exist.
 *
 * One round trip. Only a PENDING invoice past its end date takes a second one: the read carries the
 * expiry out, so that no answer depends on a scheduled job.
 */
export function readStatus(
  db: Queryable,
  tenant: Tenant,
  reference: InvoiceReference,
  context: { now: Date; requestId?: string | null },
): Promise<InvoiceStatusView | null> {
  return readStatusBy(stepsOn(db), tenant, reference, context);
}

/** `readStatus` by steps that concurrent callers may share. */
export async function readStatusBy(
  steps: InvoiceSteps,
  tenant: Tenant,
  reference: InvoiceReference,
  context: { now: Date; requestId?: string | null },
): Promise<InvoiceStatusView | null> {
  const row = await steps.findStatusRow(tenant, reference);
  if (!row) return null;
  if (!isDue(row, context.now) || row.capturing) return toStatusView(row);
  return expireOnRead(steps, tenant, row.id, context);
}

async function expireOnRead(
  steps: InvoiceSteps,
  tenant: Tenant,
  invoiceId: string,
  { now, requestId = null }: { now: Date; requestId?: string | null },
): Promise<InvoiceStatusView | null> {
  const clock: Actor = { type: 'clock', requestId };
  const expired = await steps.expire({ invoiceId, tenant, actor: clock, now });
  if (expired) {
    metrics().expired.inc();
    return toStatusView(expired);
  }
  const again = await steps.findStatusRow(tenant, { invoiceId });
  return again && toStatusView(again);
}

/** An invoice's first call waits for its locked row with a connection; some wait for that call. */
const expiring = processWide(
  'invoices expiring',
  () => new KeyedSemaphore({ atWork: 1, waiting: 8 }),
);

const BY_ID = `SELECT ${RETURNED_COLUMNS} FROM invoices i WHERE i.id = $1::text`;

/**
 * An invoice by its id alone: for the payment page, whose address is the permission to see it.
 * Expiry is carried out as in `readStatus`.
 */
export async function readInvoiceForBuyer(
  db: Queryable,
  invoiceId: string,
  { now }: { now: Date },
): Promise<Invoice | null> {
  const find = async () =>
    (await db.query<InvoiceRow>({ name: 'invoice_by_id', text: BY_ID, values: [invoiceId] }))
      .rows[0];
  const row = await find();
  if (!row) return null;
  if (!isDue(row, now) || row.capture_attempt_id) return toInvoice(row);

  const release = await expiring.acquire(invoiceId);
  if (!release) throw new GatewayError('busy');
  const expired = await transition(
    db,
    { invoiceId, tenant: null },
    { trigger: 'expire' },
    { actor: { type: 'clock' }, now },
  ).finally(release);
  if (expired) metrics().expired.inc();
  const current = expired ?? (await find());
  return current ? toInvoice(current) : null;
}
