import { createHash } from 'node:crypto';
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

/** The fault of a key that came before with another body. */
export const KEY_REUSED: ValidationItem = faultAt(
  ['header', HEADER],
  valueError('the key was used with another body'),
);

/** What tells one body from another: SHA-256 over its exact bytes. */
export function hashRequest(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}
