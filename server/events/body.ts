import { STATUS_CODES } from '../invoices/types.ts';
import { REFUND_STATUS_CODES } from '../refunds/types.ts';
import { INVOICE_STATUS_AFTER, REFUND_STATUS_AFTER, type WrittenEventType } from './types.ts';

/** What an event is about: the row `c` that has it, as a CTE of the change gives it. */
export type EventSubject = 'invoice' | 'refund' | 'callback';

/** The columns of row `c` for the time of an event and what it concerns, as SQL. */
export const EVENT_COLUMNS: Record<
  EventSubject,
  { at: string; invoiceId: string; refundId: string; invoiceStatus: string }
> = {
  invoice: {
    at: 'c.status_changed_at',
    invoiceId: 'c.id',
    refundId: 'NULL',
    invoiceStatus: 'c.status',
  },
  refund: {
    at: 'c.updated_at',
    invoiceId: 'c.invoice_id',
    refundId: 'c.id',
    invoiceStatus: `'PAID'::invoice_status`,
  },
  callback: {
    at: 'c.next_attempt_at',
    invoiceId: 'c.invoice_id',
    refundId: 'NULL',
    invoiceStatus: 'i.status',
  },
};

const json = (text: string): string => `coalesce(to_json(${text})::text, 'null')`;

const codeOf = (status: string, codes: Record<string, number>): string =>
  `CASE ${status} ${Object.entries(codes)
    .map(([name, code]) => `WHEN '${name}' THEN ${code}`)
    .join(' ')} END`;

const invoiceData = (type: WrittenEventType, row: string): string[] => {
  const after = INVOICE_STATUS_AFTER[type];
  const status =
    after === null ? codeOf(`${row}.status`, STATUS_CODES) : String(STATUS_CODES[after]);
  return [
    `',"merchant_transaction_id":' || ${json(`${row}.merchant_transaction_id`)}`,
    `',"status":' || ${status}`,
    `',"amount":' || ${row}.amount_minor::text`,
    `',"currency":' || ${json(`${row}.currency::text`)}`,
    `',"extra_data":' || coalesce(CASE WHEN ${row}.status = 'PAID' THEN ${row}.extra_data END, '{}')`,
  ];
};

const refundData = (type: WrittenEventType): string[] => {
  const status = REFUND_STATUS_AFTER[type] ?? 'PENDING';
  return [
    `',"refund_id":' || ${json('c.id')}`,
    `',"refund_transaction_id":' || ${json('c.refund_transaction_id')}`,
    `',"status":${REFUND_STATUS_CODES[status]}'`,
    `',"amount":' || c.amount_minor::text`,
    `',"currency":' || ${json('c.currency::text')}`,
    `',"reason":' || ${json('c.reason')}`,
    `',"failure_reason":' || ${status === 'FAILED' ? json('c.failure_reason') : `'null'`}`,
  ];
};

function dataOf(type: WrittenEventType, subject: EventSubject): string[] {
  if (subject === 'refund') return refundData(type);
  return invoiceData(type, subject === 'invoice' ? 'c' : 'i');
}

/**
 * The body of an event by Standard Webhooks, as SQL text. PostgreSQL composes it, so that it says what
 * was true at the change; `data` has what the list of events tells of the event.
 */
export function eventBody(type: WrittenEventType, subject: EventSubject): string {
  const { at, invoiceId } = EVENT_COLUMNS[subject];
  return [
    `'{"type":"${type}","timestamp":"'`,
    `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    `'","data":{"invoice_id":' || ${json(invoiceId)}`,
    ...dataOf(type, subject),
    `'}}'`,
  ].join('\n      || ');
}

/** The id of an event in the list of events, as SQL. */
export function eventId(type: WrittenEventType, subject: EventSubject): string {
  const { at, invoiceId } = EVENT_COLUMNS[subject];
  const [, what = ''] = type.split('.');
  const its = `'evt_${what}_' || substr(${subject === 'refund' ? 'c.id' : invoiceId}, 5)`;
  // The only one that can happen to the same more than once.
  if (subject !== 'callback') return its;
  return `${its} || '_' || (extract(epoch FROM ${at}) * 1000)::bigint`;
}
