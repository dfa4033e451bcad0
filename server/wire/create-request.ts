import { z } from 'zod';
import { INVOICE_LIMITS, type NewInvoice } from '../invoices/types.ts';
import {
  amount,
  currency,
  endDate,
  httpUrl,
  merchantData,
  merchantTransactionId,
  text,
} from './fields.ts';
import { type JsonBody, type JsonObject, readJsonBody } from './json-body.ts';
import { faultAt, toValidationItems, type ValidationItem, valueError } from './validation.ts';

export const MERCHANT_DATA_MAX_BYTES = 16 * 1024;

export const position = z
  .object({
    title: text(1, INVOICE_LIMITS.title),
    amount,
    currency: currency.meta({ description: "ISO 4217; the invoice's" }),
  })
  .meta({ id: 'Position', description: 'A line of the invoice' });

const URL_RULES = 'http or https, no user name or password';

export const createInvoiceRequest = z
  .object({
    amount,
    currency,
    description: text(1, INVOICE_LIMITS.description),
    end_date: endDate.meta({
      description: 'UTC, milliseconds, in the future; after it the invoice is EXPIRED',
    }),
    positions: z.array(position).min(1).meta({ maxItems: INVOICE_LIMITS.positions }),
    merchant_transaction_id: merchantTransactionId.meta({
      description:
        'Unique within the merchant and environment, compared exactly; no control characters. A repeat gets a 409.',
    }),
    success_url: httpUrl.meta({
      description: `Where the browser goes after a successful payment; ${URL_RULES}`,
    }),
    error_url: httpUrl.meta({
      description: `Where the browser goes after an error or a cancellation; ${URL_RULES}`,
    }),
    callback_url: httpUrl.meta({
      description: `Where the status notification is POSTed; ${URL_RULES}`,
    }),
    merchant_data: merchantData,
  })
  .meta({ id: 'InvoiceCreateRequest' });

/** A payment link of the dashboard's: a create whose three addresses may be left out. */
export const paymentLinkRequest = createInvoiceRequest.extend({
  success_url: httpUrl.optional(),
  error_url: httpUrl.optional(),
  callback_url: httpUrl.optional(),
});

type CreateBody = z.infer<typeof paymentLinkRequest>;

export type CreateRequest =
  | { ok: true; value: NewInvoice }
  /** `pastInvoice`: set if the only fault is a past end date; a replay of it must succeed. */
  | { ok: false; detail: ValidationItem[]; pastInvoice: NewInvoice | null };

const SECONDS_FROM = 1_000_000_000;
const SECONDS_TO = 100_000_000_000;

/** Why an end date cannot be accepted at `nowMs`, or null; checks positive integers only. */
function endDateFault(value: unknown, nowMs: number): ValidationItem | null {
  if (!Number.isSafeInteger(value)) return null;
  const endDateMs = value as number;
  if (endDateMs <= 0 || endDateMs > nowMs) return null;
  const looksLikeSeconds = endDateMs >= SECONDS_FROM && endDateMs < SECONDS_TO;
  return faultAt(
    ['body', 'end_date'],
    valueError(
      looksLikeSeconds
        ? 'end_date looks like seconds: it should be in milliseconds'
        : `end_date should be in the future; the server's clock reads ${nowMs}`,
    ),
  );
}

function positionCurrencyFaults(body: JsonObject): ValidationItem[] {
  if (!currency.safeParse(body.currency).success || !Array.isArray(body.positions)) return [];
  const faults: ValidationItem[] = [];
  for (const [index, item] of body.positions.entries()) {
    const own = (item as JsonObject | null)?.currency;
    if (own === body.currency || !currency.safeParse(own).success) continue;
    faults.push(
      faultAt(
        ['body', 'positions', index, 'currency'],
        valueError(`the currency should be the invoice's, ${String(body.currency)}`),
      ),
    );
  }
  return faults;
}

function merchantDataFaults({ merchantDataText }: JsonBody): ValidationItem[] {
  if (merchantDataText === null) return [];
  const bytes = Buffer.byteLength(merchantDataText);
  if (bytes <= MERCHANT_DATA_MAX_BYTES) return [];
  return [
    faultAt(['body', 'merchant_data'], {
      type: 'too_long',
      msg: `merchant_data should have at most ${MERCHANT_DATA_MAX_BYTES} bytes of JSON text, not ${bytes}`,
    }),
  ];
}

/** A list that is too long is checked only up to the limit: 100,000 faults would help nobody. */
function cutPositions(body: JsonObject): { body: JsonObject; faults: ValidationItem[] } {
  const { positions } = body;
  if (!Array.isArray(positions) || positions.length <= INVOICE_LIMITS.positions)
    return { body, faults: [] };
  const fault = faultAt(['body', 'positions'], {
    type: 'too_long',
    msg: `List should have at most ${INVOICE_LIMITS.positions} items after validation, not ${positions.length}`,
  });
  return {
    body: { ...body, positions: positions.slice(0, INVOICE_LIMITS.positions) },
    faults: [fault],
  };
}

function toNewInvoice(body: CreateBody, merchantDataText: string | null): NewInvoice {
  return {
    amountMinor: body.amount,
    currency: body.currency,
    description: body.description,
    endDateMs: body.end_date,
    positions: body.positions.map((item) => ({
      title: item.title,
      amountMinor: item.amount,
      currency: item.currency,
    })),
    merchantTransactionId: body.merchant_transaction_id,
    successUrl: body.success_url ?? null,
    errorUrl: body.error_url ?? null,
    callbackUrl: body.callback_url ?? null,
    merchantData: body.merchant_data ? merchantDataText : null,
  };
}

/**
 * Reads a create's body; reports all of its faults at once, including those between fields.
 *
 * @param rules the REST contract's, or those of a payment link
 */
export function parseCreateRequest(
  bytes: Uint8Array,
  contentType: string | null,
  nowMs: number,
  rules: z.ZodType<CreateBody> = createInvoiceRequest,
): CreateRequest {
  const json = readJsonBody(bytes, contentType);
  if (!json.ok) return { ...json, pastInvoice: null };
  const { body, faults: lengthFaults } = cutPositions(json.value.value);
  const parsed = rules.safeParse(body);
  const detail = parsed.success ? [] : toValidationItems(parsed.error.issues, body);
  detail.push(
    ...lengthFaults,
    ...positionCurrencyFaults(body),
    ...merchantDataFaults(json.value),
    ...json.value.textFaults,
    ...json.value.createFaults,
  );
  const value =
    parsed.success && detail.length === 0
      ? toNewInvoice(parsed.data, json.value.merchantDataText)
      : null;
  const pastEndDate = endDateFault(body.end_date, nowMs);
  if (pastEndDate !== null) detail.push(pastEndDate);
  else if (value !== null) return { ok: true, value };
  return { ok: false, detail, pastInvoice: value };
}
