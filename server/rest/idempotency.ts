import { hash } from 'node:crypto';
import type { RequestHashes } from '../invoices/create.ts';
import type { NewInvoice } from '../invoices/types.ts';
import type { JsonObject } from '../wire/json-body.ts';
import {
  EMPTY_STRING,
  type FaultParams,
  faultAt,
  type ValidationItem,
  valueError,
} from '../wire/validation.ts';

const HEADER = 'Idempotency-Key';
const MAX_LENGTH = 255;
const PRINTABLE = /^[\x20-\x7e]*$/;

export type IdempotencyKey =
  | { ok: true; key: string | null }
  | { ok: false; detail: ValidationItem[] };

function faultsOf(key: string): FaultParams[] {
  if (key === '') return [EMPTY_STRING];
  const faults: FaultParams[] = [];
  if (key.length > MAX_LENGTH) {
    faults.push({
      type: 'string_too_long',
      msg: `String should have at most ${MAX_LENGTH} characters`,
    });
  }
  if (!PRINTABLE.test(key)) {
    faults.push({
      type: 'string_pattern_mismatch',
      msg: 'String should contain printable ASCII characters only',
    });
  }
  return faults;
}

/** Reads the optional header: 1 to 255 printable ASCII characters. */
export function parseIdempotencyKey(header: string | null): IdempotencyKey {
  if (header === null) return { ok: true, key: null };
  const faults = faultsOf(header);
  if (faults.length === 0) return { ok: true, key: header };
  return { ok: false, detail: faults.map((fault) => faultAt(['header', HEADER], fault)) };
}

/** The fault of a key that was used before with other values. */
export const KEY_REUSED: ValidationItem = faultAt(
  ['header', HEADER],
  valueError('the key was used with other values'),
);

/** A JSON value with the keys of its objects in a fixed order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const ordered: JsonObject = {};
  for (const key of Object.keys(value).sort()) ordered[key] = inOrder((value as JsonObject)[key]);
  return ordered;
}

/**
 * The values of a create, always written in the same way. Their hash is stored for 24 hours and
 * read by other versions, so the order of the values must not change.
 */
function valuesText({ positions, merchantData, ...invoice }: NewInvoice): string {
  const values = [
    invoice.amountMinor,
    invoice.currency,
    invoice.description,
    invoice.endDateMs,
    positions.map(({ title, amountMinor, currency }) => [title, amountMinor, currency]),
    invoice.merchantTransactionId,
    invoice.successUrl,
    invoice.errorUrl,
    invoice.callbackUrl,
    merchantData === null ? null : inOrder(JSON.parse(merchantData)),
  ];
  return JSON.stringify(values);
}

/**
 * Tells one create from another: SHA-256 over its body's bytes, and over its values. White space,
 * the order of keys, `1500.0` for `1500`, and ignored fields do not change the values.
 */
export function hashesOf(body: Uint8Array, invoice: NewInvoice): RequestHashes {
  return {
    requestHash: hash('sha256', body, 'buffer'),
    valuesHash: hash('sha256', valuesText(invoice), 'buffer'),
  };
}
