import type { Queryable } from '../db/pool.ts';
import type { CoalescerLimits } from '../lib/coalescer.ts';
import { type SpanDescription, traced } from '../lib/tracing.ts';
import type { Tenant } from '../merchants/types.ts';
import { type CancelOutcome, cancelInvoice, cancelInvoiceBy } from './cancel.ts';
import { coalescedCreate, coalescedSteps } from './coalesced.ts';
import { type CreateCommand, type CreateOutcome, createInvoice } from './create.ts';
import { readStatus, readStatusBy } from './data.ts';
import type { Actor, InvoiceReference, InvoiceStatusView } from './types.ts';

/** The frequent actions of merchants' servers, which have a way of their own. */
export type MerchantInvoices = {
  create(tenant: Tenant, command: CreateCommand): Promise<CreateOutcome>;
  readStatus(
    tenant: Tenant,
    reference: InvoiceReference,
    context: { now: Date; requestId?: string | null },
  ): Promise<InvoiceStatusView | null>;
  cancel(
    tenant: Tenant,
    invoiceId: string,
    context: { actor: Actor; now: Date },
  ): Promise<CancelOutcome>;
};

/** Every call sends its own statements. */
export function oneByOneInvoices(db: Queryable): MerchantInvoices {
  const statement = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const attributes = { 'db.system.name': 'postgresql' };
    const describe = (): SpanDescription => ({
      name: `statement ${name}`,
      kind: 'client',
      attributes,
    });
    return traced(describe, work);
  };
  return {
    create: (tenant, command) => statement('create', () => createInvoice(db, tenant, command)),
    readStatus: (tenant, reference, context) =>
      statement('status', () => readStatus(db, tenant, reference, context)),
    cancel: (tenant, invoiceId, context) =>
      statement('cancel', () => cancelInvoice(db, tenant, invoiceId, context)),
  };
}

/**
 * Concurrent calls share statements: the same answers, at several times the rate. Make one for a
 * database and process: only calls through the same one are gathered.
 *
 * A call may fail with a GatewayError `unavailable` when too many wait, or it has waited too long.
 */
export function coalescedInvoices(
  db: Queryable,
  limits?: Partial<CoalescerLimits>,
): MerchantInvoices {
  const create = coalescedCreate(db, limits);
  const steps = coalescedSteps(db, limits);
  return {
    create,
    readStatus: (tenant, reference, context) => readStatusBy(steps, tenant, reference, context),
    cancel: (tenant, invoiceId, context) => cancelInvoiceBy(steps, tenant, invoiceId, context),
  };
}
