import { hostOf, WAKE_WORKERS } from '../callbacks/enqueue.ts';
import { EVENT_COLUMNS, type EventSubject, eventBody, eventId } from './body.ts';
import type { WrittenEventType } from './types.ts';

/** What the rows of the changes need beside, and which of them have the event. */
const ROWS: Record<EventSubject, { beside: string; where: string }> = {
  invoice: { beside: '', where: 'true' },
  refund: { beside: '', where: 'true' },
  callback: { beside: 'JOIN invoices i ON i.id = c.invoice_id', where: 'c.is_exhausted' },
};

/**
 * Writes an event for each row of a change, and its delivery where the merchant has an address for
 * such events, as CTEs of the statement that makes the change: none exists without the others,
 * whatever dies.
 *
 * Without an address, the delivery costs one look into the table of addresses, which is small.
 *
 * @param from name of a CTE with the changed rows, `c`
 * @param subject what these rows are: all columns of an invoice, `REFUND_COLUMNS`, or what
 *   recording results returns
 */
export function writeEvents(type: WrittenEventType, from: string, subject: EventSubject): string {
  const { at, invoiceId, refundId, invoiceStatus } = EVENT_COLUMNS[subject];
  const { beside, where } = ROWS[subject];
  return `event AS (
    INSERT INTO events (position, merchant_id, environment, type, at, invoice_id, refund_id)
    SELECT event_position(), c.merchant_id, c.environment, '${type}', ${at}, ${invoiceId}, ${refundId}
    FROM ${from} c WHERE ${where}
  ), event_callback AS (
    INSERT INTO callbacks
      (id, kind, target, invoice_id, merchant_id, environment, url, host, invoice_status, body,
       next_attempt_at, created_at)
    SELECT ${eventId(type, subject)}, 'event', 'events_address', ${invoiceId}, c.merchant_id,
           c.environment, a.url, ${hostOf('a.url')}, ${invoiceStatus},
           convert_to(${eventBody(type, subject)}, 'UTF8'), least(${at}, now()), ${at}
    FROM ${from} c
    JOIN event_addresses a ON a.merchant_id = c.merchant_id AND a.environment = c.environment
      AND '${type}' = ANY (a.types)
    ${beside}
    WHERE ${where}
    RETURNING ${WAKE_WORKERS})`;
}
