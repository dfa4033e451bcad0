import { plainArray } from '../db/plain-array.ts';
import type { Tenant } from '../merchants/types.ts';
import { positionsToJson } from './rows.ts';
import type { NewInvoice } from './types.ts';

/** The values that a create adds to the merchant's. */
export type CreatedInvoice = {
  id: string;
  createdAt: Date;
  requestId: string | null;
  invoice: NewInvoice;
};

type Value = string | number | null;

type Column = {
  name: string;
  type: 'text' | 'bigint' | 'environment' | 'currency' | 'time';
  of: (created: CreatedInvoice, tenant: Tenant) => Value;
};

/**
 * The columns of a create, in the order of its parameters. This table makes every INSERT of an
 * invoice, for one row and for many.
 */
const CREATED: readonly Column[] = [
  { name: 'id', type: 'text', of: ({ id }) => id },
  { name: 'merchant_id', type: 'text', of: (_, { merchantId }) => merchantId },
  { name: 'environment', type: 'environment', of: (_, { environment }) => environment },
  {
    name: 'merchant_transaction_id',
    type: 'text',
    of: ({ invoice }) => invoice.merchantTransactionId,
  },
  { name: 'amount_minor', type: 'bigint', of: ({ invoice }) => invoice.amountMinor },
  { name: 'currency', type: 'currency', of: ({ invoice }) => invoice.currency },
  { name: 'description', type: 'text', of: ({ invoice }) => invoice.description },
  { name: 'positions', type: 'text', of: ({ invoice }) => positionsToJson(invoice.positions) },
  { name: 'merchant_data', type: 'text', of: ({ invoice }) => invoice.merchantData },
  { name: 'success_url', type: 'text', of: ({ invoice }) => invoice.successUrl },
  { name: 'error_url', type: 'text', of: ({ invoice }) => invoice.errorUrl },
  { name: 'callback_url', type: 'text', of: ({ invoice }) => invoice.callbackUrl },
  { name: 'end_date', type: 'time', of: ({ invoice }) => invoice.endDateMs },
  { name: 'created_at', type: 'time', of: ({ createdAt }) => createdAt.getTime() },
  { name: 'request_id', type: 'text', of: ({ requestId }) => requestId },
];

const NAMES = CREATED.map(({ name }) => name).join(', ');
/**
 * A time travels as epoch milliseconds, written and read in a fifth of a date's time. A double
 * represents them to 0.03 ms at the end of 9999, and the columns round to one.
 */
const timeOf = (ms: string) => `to_timestamp(${ms} / 1000)`;
const sqlType = ({ type }: Column) => (type === 'time' ? 'float8' : type);
const written = (column: Column, value: string) => (column.type === 'time' ? timeOf(value) : value);
const parameter = (column: Column, index: number) => `$${index + 1}::${sqlType(column)}`;

function indexOf(name: string): number {
  const index = CREATED.findIndex((column) => column.name === name);
  if (index < 0) throw new Error(`no column ${name}`);
  return index;
}

/** The number of a create's parameters; those of its idempotency key follow. */
export const PARAMETER_COUNT = CREATED.length;

/** `created_at` of one row, from its parameter. */
export const CREATED_AT = timeOf(`$${indexOf('created_at') + 1}::float8`);
/** `created_at` of the rows `a` of `ARRAYS`. */
export const CREATED_AT_OF_EACH = timeOf('a.created_at');

/**
 * The columns of an insert; `status_changed_at` is `created_at` at first, and the place among the
 * events is that of the transaction.
 */
export const INSERTED = `${NAMES}, status_changed_at, created_position`;
/** One row of the insert, from the parameters. */
export const VALUES = `${CREATED.map((column, index) => written(column, parameter(column, index))).join(', ')}, ${CREATED_AT}, event_position()`;
/** Arrays of the parameters, one for each column, for `unnest`. */
export const ARRAYS = CREATED.map((column, index) => `${parameter(column, index)}[]`).join(', ');
/** The column names of `unnest`. */
export const ARRAY_NAMES = NAMES;
/** One row of an insert for each row `a` of the arrays. */
export const SELECTED = `${CREATED.map((column) => written(column, `a.${column.name}`)).join(', ')}, ${CREATED_AT_OF_EACH}, event_position()`;

/** The parameters of one create. */
export function valuesOf(tenant: Tenant, created: CreatedInvoice): Value[] {
  return CREATED.map(({ of }) => of(created, tenant));
}

/** The parameters of many creates: one array for each column. */
export function arraysOf(
  rows: readonly { tenant: Tenant; command: CreatedInvoice }[],
): (Value[] | string)[] {
  return CREATED.map((column) => {
    const of = ({ tenant, command }: (typeof rows)[number]) => column.of(command, tenant);
    // A text may need quotes, which pg adds.
    return column.type === 'text' ? rows.map(of) : plainArray(rows, of);
  });
}

/** Milliseconds as a JavaScript number; PostgreSQL's epoch is an exact numeric. */
export const epochMs = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

function read({ name, type }: Pick<Column, 'name' | 'type'>): string {
  if (type === 'time') return `${epochMs(`i.${name}`)} AS ${name}_ms`;
  return type === 'bigint' ? `i.${name}::text` : `i.${name}`;
}

/** The columns of an InvoiceRow, from `invoices i`: a create's columns, and later ones. */
export const RETURNED_COLUMNS = [
  ...CREATED.filter(({ name }) => name !== 'request_id').map(read),
  'i.status',
  read({ name: 'status_changed_at', type: 'time' }),
  'i.capture_attempt_id',
  'i.extra_data',
].join(', ');
