import type { InvoiceStatus } from '../invoices/types.ts';
import type { Currency } from '../lib/money.ts';
import type { RefundStatus } from '../refunds/types.ts';

/** What can happen. `invoice.created` is read from the invoice itself, all others are written. */
export const EVENT_TYPES = [
  'invoice.created',
  'invoice.paid',
  'invoice.expired',
  'invoice.canceled',
  'refund.created',
  'refund.succeeded',
  'refund.failed',
  'callback.exhausted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Those that can be sent to an address: `invoice.created` would cost each create, whose answer says as much. */
export const SENT_EVENT_TYPES = EVENT_TYPES.filter(
  (type): type is WrittenEventType => type !== 'invoice.created',
);
export type WrittenEventType = Exclude<EventType, 'invoice.created'>;

/** The type of a sent event by its id; null for any other. */
export function eventTypeOf(id: string): WrittenEventType | null {
  const [, what] = /^evt_([a-z]+)_/.exec(id) ?? [];
  return SENT_EVENT_TYPES.find((type) => type.endsWith(`.${what}`)) ?? null;
}

/** Those that are sent unless others are chosen: nothing else tells a merchant's server of them. */
export const PRESET_EVENT_TYPES: readonly WrittenEventType[] = [
  'refund.succeeded',
  'refund.failed',
  'callback.exhausted',
];

/** The time for which events are kept. */
export const EVENTS_KEPT_MS = 90 * 86_400_000;

/** The status that an event left its invoice with; null where another thing happened. */
export const INVOICE_STATUS_AFTER: Record<EventType, InvoiceStatus | null> = {
  'invoice.created': 'PENDING',
  'invoice.paid': 'PAID',
  'invoice.expired': 'EXPIRED',
  'invoice.canceled': 'CANCELED',
  'refund.created': null,
  'refund.succeeded': null,
  'refund.failed': null,
  'callback.exhausted': null,
};

/** The status that an event left its refund with. */
export const REFUND_STATUS_AFTER: Partial<Record<EventType, RefundStatus>> = {
  'refund.created': 'PENDING',
  'refund.succeeded': 'SUCCEEDED',
  'refund.failed': 'FAILED',
};

/** The place of an event in the log: after it another page begins. */
export type EventPlace = {
  /** The id of the transaction that wrote it; 0 is before all. */
  position: bigint;
  /** Within the transaction: 0 for `invoice.created`, which come first. */
  number: bigint;
  /** Among these, the invoice; null for all others. */
  invoiceId: string | null;
};

export const LOG_BEGINNING: EventPlace = { position: 0n, number: 0n, invoiceId: '' };

export type LoggedEvent = {
  type: EventType;
  atMs: number;
  place: EventPlace;
  invoice: {
    id: string;
    merchantTransactionId: string;
    /** As it was right after the event. */
    status: InvoiceStatus;
    amountMinor: bigint;
    currency: Currency;
    /** JSON text of a paid invoice; null otherwise. */
    extraData: string | null;
  };
  /** Null where no refund is concerned. */
  refund: {
    id: string;
    refundTransactionId: string | null;
    amountMinor: bigint;
    status: RefundStatus;
    reason: string | null;
    failureReason: string | null;
  } | null;
};
