import type { Queryable } from '../db/pool.ts';
import { isRowsFault } from '../db/rows-fault.ts';
import { Coalescer, type CoalescerLimits } from '../lib/coalescer.ts';
import { isSameTenant, type Tenant } from '../merchants/types.ts';
import { type CreateCommand, type CreateOutcome, createInvoice } from './create.ts';
import { type CreateRow, createInvoices } from './create-many.ts';
import {
  findStatusRow,
  findStatusRows,
  type StatusQuestion,
  type StatusRow,
} from './status-rows.ts';
import type { InvoiceSteps } from './steps.ts';
import { type ChangedRow, type TransitionRow, transition, transitionMany } from './transition.ts';

type Limits = Partial<CoalescerLimits>;
type Scoped = { tenant: Tenant };

const isSameOwner = (one: Scoped, other: Scoped) => isSameTenant(one.tenant, other.tenant);

// The bytes of a position's own JSON, beside its title.
const POSITION_BYTES = 64;

/** The bytes of all its texts, each of which is searched for quotes in an array. */
function bytesOf({ command: { invoice, idempotency } }: CreateRow): number {
  let bytes = invoice.merchantTransactionId.length + invoice.description.length;
  for (const url of [invoice.successUrl, invoice.errorUrl, invoice.callbackUrl]) {
    bytes += url?.length ?? 0;
  }
  bytes += invoice.merchantData?.length ?? 0;
  for (const { title } of invoice.positions) bytes += title.length + POSITION_BYTES;
  if (idempotency) bytes += idempotency.key.length + idempotency.responseBody.length;
  return bytes;
}

/** `createInvoice`, with one statement for concurrent calls. */
export function coalescedCreate(
  db: Queryable,
  limits?: Limits,
): (tenant: Tenant, command: CreateCommand) => Promise<CreateOutcome> {
  const creates = new Coalescer<CreateRow, CreateOutcome>({
    name: 'statement create',
    one: ({ tenant, command }) => createInvoice(db, tenant, command),
    many: (rows) => createInvoices(db, rows),
    isRowsFault,
    isSameOwner,
    bytesOf,
    limits,
  });
  return (tenant, command) => creates.submit({ tenant, command });
}

function statusRows(db: Queryable, by: 'id' | 'merchant_transaction_id', limits?: Limits) {
  return new Coalescer<StatusQuestion, StatusRow | null>({
    name: 'statement status',
    one: ({ tenant, reference }) => findStatusRow(db, tenant, reference),
    many: (questions) => findStatusRows(db, by, questions),
    isRowsFault,
    isSameOwner,
    limits,
  });
}

const targetOf = ({ tenant, invoiceId }: TransitionRow): string =>
  `${tenant.merchantId} ${tenant.environment} ${invoiceId}`;

function transitions(db: Queryable, trigger: 'cancel' | 'expire', limits?: Limits) {
  return new Coalescer<TransitionRow, ChangedRow | null>({
    name: `statement ${trigger}`,
    one: (row) => transition(db, row, { trigger }, row),
    many: async (rows) => {
      // The first of several for one invoice is carried out or refused; the guard would refuse the
      // later ones either way.
      const firsts = new Map<string, TransitionRow>();
      for (const row of rows) if (!firsts.has(targetOf(row))) firsts.set(targetOf(row), row);
      const sent = [...firsts.values()];
      const changed = await transitionMany(db, trigger, sent);
      const answers = new Map(sent.map((row, index) => [row, changed[index] ?? null]));
      return rows.map((row) => answers.get(row) ?? null);
    },
    isRowsFault,
    isSameOwner,
    isSameRow: (one, other) => targetOf(one) === targetOf(other),
    limits,
  });
}

/** The steps of reading and cancelling, with one statement each for concurrent calls. */
export function coalescedSteps(db: Queryable, limits?: Limits): InvoiceSteps {
  const byId = statusRows(db, 'id', limits);
  const byTransaction = statusRows(db, 'merchant_transaction_id', limits);
  const cancels = transitions(db, 'cancel', limits);
  const expiries = transitions(db, 'expire', limits);
  return {
    findStatusRow: (tenant, reference) =>
      ('invoiceId' in reference ? byId : byTransaction).submit({ tenant, reference }),
    cancel: (row) => cancels.submit(row),
    expire: (row) => expiries.submit(row),
  };
}
