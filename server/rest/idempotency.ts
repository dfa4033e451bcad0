import { createHash } from 'node:crypto';
import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import { type FaultParams, faultAt, type ValidationItem, valueError } from '../wire/validation.ts';

const HEADER = 'Idempotency-Key';
const MAX_LENGTH = 255;
const PRINTABLE = /^[\x20-\x7e]*$/;

export type IdempotencyKey =
  | { ok: true; key: string | null }
  | { ok: false; detail: ValidationItem[] };

function refused(fault: FaultParams): IdempotencyKey {
  return { ok: false, detail: [faultAt(['header', HEADER], fault)] };
}

/** Reads the optional header: 1 to 255 printable ASCII characters. */
export function parseIdempotencyKey(header: string | null): IdempotencyKey {
  if (header === null) return { ok: true, key: null };
  if (header === '') {
    return refused({
      type: 'string_too_short',
      msg: 'String should have at least 1 character',
    });
  }
  if (header.length > MAX_LENGTH) {
    return refused({
      type: 'string_too_long',
      msg: `String should have at most ${MAX_LENGTH} characters`,
    });
  }
  if (!PRINTABLE.test(header)) {
    return refused({
      type: 'string_pattern_mismatch',
      msg: 'String should contain printable ASCII characters only',
    });
  }
  return { ok: true, key: header };
}

/** The fault of a key that came before with another body. */
export const KEY_REUSED: ValidationItem = faultAt(
  ['header', HEADER],
  valueError('the key was used with another body'),
);

/** What tells one body from another: SHA-256 over its exact bytes. */
export function hashRequest(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}

const FIND_FIRST = `
  SELECT k.request_hash, k.response_body,
         EXISTS (SELECT FROM invoices i WHERE i.id = k.invoice_id) AS created
  FROM idempotency_keys k
  WHERE k.merchant_id = $1::text AND k.environment = $2::environment AND k.key = $3::text
    AND k.expires_at > $4::timestamptz`;

export type FirstAnswer =
  | { outcome: 'replayed'; responseBody: Buffer }
  | { outcome: 'duplicate' }
  | { outcome: 'none' };

/**
 * The first answer to a create that is no longer valid by the clock alone: its
 * `end_date` was in the future when it was first sent, and for 24 hours the
 * answer must come back the same.
 */
export async function findFirstAnswer(
  db: Queryable,
  tenant: Tenant,
  request: { key: string; requestHash: Buffer; now: Date },
): Promise<FirstAnswer> {
  const { rows } = await db.query<{
    request_hash: Buffer;
    response_body: Buffer;
    created: boolean;
  }>(FIND_FIRST, [tenant.merchantId, tenant.environment, request.key, request.now.toISOString()]);
  const first = rows[0];
  if (first === undefined || !first.request_hash.equals(request.requestHash)) {
    return { outcome: 'none' };
  }
  if (!first.created) return { outcome: 'duplicate' };
  return { outcome: 'replayed', responseBody: first.response_body };
}
