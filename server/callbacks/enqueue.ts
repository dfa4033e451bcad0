import { STATUS_CODES } from '../invoices/types.ts';

/**
 * The id of an invoice's notification, as SQL: the invoice's with another prefix. The key thus
 * limits an invoice to one, and its `webhook-id` follows from the invoice.
 *
 * @param invoiceId the invoice's id, as SQL
 */
export const notificationId = (invoiceId: string): string => `('ntf_' || substr(${invoiceId}, 5))`;

/**
 * Whether callback `c` has the given name, as SQL: an invoice's id names its notification, an event's
 * id (`evt_…`) its delivery.
 */
export const isNamed = (name: string): string =>
  `(c.id = CASE WHEN starts_with(${name}, 'evt_') THEN ${name} ELSE ${notificationId(name)} END
    AND ${name} IN (c.id, c.invoice_id))`;

/**
 * Writes the notification of a status change in the same statement, so that neither exists without
 * the other, whatever dies. An invoice without a callback address has none.
 *
 * PostgreSQL composes the body and freezes it as bytes: a set of a thousand expired invoices costs
 * one statement, and the content signed and sent later is what was true at the change. `positions`,
 * `merchant_data` and `extra_data` are stored as JSON text and copied character by character.
 *
 * @param changed name of a CTE with the changed rows of `invoices` (all columns)
 * @param now the time of the change, as SQL, e.g. `$2::timestamptz`
 * @param cause id of the merchant's request that made the change, as SQL; null takes that of the
 *   create
 * @returns an INSERT for use as a CTE; its rows are due at once, even if the clock of `now` is
 *   ahead: a worker would otherwise find them due only that much later
 */
export function enqueueCallbacks(changed: string, now: string, cause: string): string {
  return `
    INSERT INTO callbacks
      (id, kind, target, invoice_id, merchant_id, environment, url, host, invoice_status, body,
       next_attempt_at, created_at, request_id)
    SELECT ${notificationId('c.id')}, 'notification', 'callback_url', c.id, c.merchant_id, c.environment, c.callback_url, ${hostOf('c.callback_url')}, c.status,
           convert_to(${CALLBACK_BODY}, 'UTF8'), least(${now}, now()), ${now}, coalesce(${cause}, c.request_id)
    FROM ${changed} c
    WHERE c.callback_url IS NOT NULL`;
}

/** The channel that tells workers of a due callback. */
export const CALLBACK_DUE = 'callback_due';

/** Wakes the workers when the transaction commits; NOTIFY folds equal ones into one. */
export const WAKE_WORKERS = `pg_notify('${CALLBACK_DUE}', '')`;

/** The host of a URL, as SQL, for lists only: connecting parses the URL itself. */
export const hostOf = (url: string): string =>
  `coalesce(lower(substring(${url} from '^[a-zA-Z]+:[\\\\/]*([^\\\\/?#]+)')), '')`;

const milliseconds = (column: string): string =>
  `(extract(epoch from ${column}) * 1000)::bigint::text`;

const STATUS_CASES = Object.entries(STATUS_CODES).map(
  ([status, code]) => `WHEN '${status}' THEN ${code}`,
);

/** The body for a row `c` of `invoices`; the fields have the order of the contract's table. */
export const CALLBACK_BODY = [
  `'{"invoice_id":' || to_json(c.id)::text`,
  `',"status":' || CASE c.status ${STATUS_CASES.join(' ')} END`,
  `',"amount":' || c.amount_minor::text`,
  `',"currency":' || to_json(c.currency::text)::text`,
  `',"description":' || to_json(c.description)::text`,
  `',"merchant_transaction_id":' || to_json(c.merchant_transaction_id)::text`,
  `',"positions":' || c.positions`,
  `coalesce(',"merchant_data":' || c.merchant_data, '')`,
  `',"created_at":' || ${milliseconds('c.created_at')}`,
  `',"updated_at":' || ${milliseconds('c.status_changed_at')}`,
  `',"extra_data":' || coalesce(c.extra_data, '{}')`,
  `'}'`,
].join('\n      || ');
