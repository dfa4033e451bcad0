import type { EventType } from './types.ts';

/**
 * Writes an event for each row of a change, as a CTE of the statement that makes the change: neither
 * exists without the other, whatever dies.
 *
 * @param type of the events, or an SQL expression of `c` for it
 * @param from name of a CTE with the changed rows, `c`
 * @param columns the row's columns for the time of the event, the invoice and the refund, as SQL
 */
export function writeEvents(
  type: Exclude<EventType, 'invoice.created'> | { sql: string },
  from: string,
  columns: { at: string; invoiceId: string; refundId?: string; where?: string },
): string {
  const { at, invoiceId, refundId = 'NULL', where } = columns;
  return `
    INSERT INTO events (position, merchant_id, environment, type, at, invoice_id, refund_id)
    SELECT event_position(), c.merchant_id, c.environment,
           ${typeof type === 'string' ? `'${type}'` : type.sql}, ${at}, ${invoiceId}, ${refundId}
    FROM ${from} c${where ? ` WHERE ${where}` : ''}`;
}
