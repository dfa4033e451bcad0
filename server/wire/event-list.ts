import { z } from 'zod';
import {
  EVENT_TYPES,
  type EventPlace,
  INVOICE_STATUS_AFTER,
  LOG_BEGINNING,
  type LoggedEvent,
} from '../events/types.ts';
import { STATUS_CODES } from '../invoices/types.ts';
import { REFUND_STATUS_CODES } from '../refunds/types.ts';
import { anyString } from './fields.ts';
import { BAD_CURSOR, QueryReader } from './list-query.ts';
import type { FaultParams, Validated } from './validation.ts';

/** The number of events on a page: at most, and when none is asked for. */
export const EVENT_PAGE = { most: 1_000, preset: 100 } as const;

const event = z
  .object({
    event_id: anyString.meta({ description: 'The event’s id, the same whenever it is read' }),
    type: z.enum(EVENT_TYPES),
    at: z.int().meta({ description: 'UTC, milliseconds; the order is that of the list' }),
    invoice_id: anyString,
    refund_id: anyString
      .optional()
      .meta({ description: 'The refund that the event is about; omitted in an invoice’s event' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'The invoice as the event left it: merchant_transaction_id, status, amount, currency, extra_data. In a refund’s event the refund: refund_transaction_id, status, amount, currency, reason, failure_reason.',
    }),
  })
  .meta({ id: 'Event' });

/** A page of events. */
export const eventList = z
  .object({
    events: z.array(event).meta({ description: 'The oldest first' }),
    next_cursor: anyString.meta({
      description: 'Send it as `after` next time. With nothing new it is the one that was sent.',
    }),
  })
  .meta({ id: 'EventList' });

/** What happens once to an invoice or a refund is told by its id; a callback can fail for good again. */
function eventIdOf({ type, atMs, invoice, refund }: LoggedEvent): string {
  const [, what = ''] = type.split('.');
  const its = (refund ?? invoice).id.slice('inv_'.length);
  const isOnce = refund !== null || INVOICE_STATUS_AFTER[type] !== null;
  return `evt_${what}_${its}${isOnce ? '' : `_${atMs}`}`;
}

function dataText({ invoice, refund }: LoggedEvent): string {
  const { merchantTransactionId, status, amountMinor, currency, extraData } = invoice;
  if (refund) {
    return JSON.stringify({
      refund_transaction_id: refund.refundTransactionId,
      status: REFUND_STATUS_CODES[refund.status],
      amount: Number(refund.amountMinor),
      currency,
      reason: refund.reason,
      failure_reason: refund.failureReason,
    });
  }
  return (
    `{"merchant_transaction_id":${JSON.stringify(merchantTransactionId)},` +
    `"status":${STATUS_CODES[status]},"amount":${amountMinor},"currency":"${currency}",` +
    `"extra_data":${extraData ?? '{}'}}`
  );
}

function eventText(each: LoggedEvent): string {
  const { type, atMs, invoice, refund } = each;
  const refundId = refund ? `"refund_id":${JSON.stringify(refund.id)},` : '';
  return (
    `{"event_id":"${eventIdOf(each)}","type":"${type}","at":${atMs},` +
    `"invoice_id":${JSON.stringify(invoice.id)},${refundId}"data":${dataText(each)}}`
  );
}

function cursorText({ position, number, invoiceId }: EventPlace): string {
  return Buffer.from(`${position}:${number}:${invoiceId ?? ''}`).toString('base64url');
}

// PostgreSQL's bigint ends with nineteen digits.
const PLACE = /^(\d{1,18}):(\d{1,18}):(inv_[0-9a-z]{1,64})?$/;

function placeOf(cursor: string): EventPlace | FaultParams {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, position, number, invoiceId] = PLACE.exec(text) ?? [];
  if (position === undefined || number === undefined) return BAD_CURSOR;
  const place = {
    position: BigInt(position),
    number: BigInt(number),
    invoiceId: invoiceId ?? (position === '0' ? '' : null),
  };
  return cursorText(place) === cursor ? place : BAD_CURSOR;
}

/** Reads the query of a list of events. */
export function parseEventQuery(
  query: URLSearchParams,
): Validated<{ after: EventPlace; limit: number }> {
  const reader = new QueryReader(query);
  const after = reader.optional('after', placeOf);
  const limit = reader.whole('limit', { least: 1, most: EVENT_PAGE.most });
  const { detail } = reader;
  if (detail.length > 0) return { ok: false, detail };
  return { ok: true, value: { after: after ?? LOG_BEGINNING, limit: limit ?? EVENT_PAGE.preset } };
}

/** The data of a page of events after a place. */
export function eventListText(events: readonly LoggedEvent[], after: EventPlace): string {
  const next = cursorText(events.at(-1)?.place ?? after);
  return `{"events":[${events.map(eventText).join(',')}],"next_cursor":"${next}"}`;
}
