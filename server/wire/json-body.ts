import { inspectJsonSource, type SourceFault } from './json-source.ts';
import {
  type FaultParams,
  FRACTION,
  faultAt,
  NOT_AN_OBJECT,
  type Validated,
  type ValidationItem,
  valueError,
} from './validation.ts';

/** For a request of the REST API. */
export const BODY_LIMIT_BYTES = 256 * 1024;

export type JsonObject = { [key: string]: unknown };

export type JsonBody = {
  value: JsonObject;
  /** The text of the top-level `merchant_data`, character by character as it was sent. */
  merchantDataText: string | null;
  /** Text that no field may hold, not even an ignored one. */
  textFaults: ValidationItem[];
  /** Excessive depth, and numbers that would lose digits: both only in a create's fields. */
  createFaults: ValidationItem[];
};

const SOURCE_FAULTS: Record<SourceFault['kind'], FaultParams> = {
  nul: valueError('NUL characters are not allowed'),
  lone_surrogate: valueError('a lone surrogate is not a character: the text is not valid Unicode'),
  proto_key: valueError('the key __proto__ is not allowed'),
  inexact_number: valueError(
    `a number beyond ±${Number.MAX_SAFE_INTEGER} loses digits in many JSON readers: send it as a string`,
  ),
  too_deep: valueError('merchant_data should be at most 32 levels deep'),
  fraction_rounded_away: FRACTION,
};

const TEXT_FAULTS: ReadonlySet<SourceFault['kind']> = new Set<SourceFault['kind']>([
  'nul',
  'lone_surrogate',
  'proto_key',
]);

const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;|$)/i;

// Fatal, because a lenient decoder would turn bad bytes into U+FFFD and store something that the
// merchant never sent. It skips a byte order mark, as RFC 8259 allows.
const utf8 = new TextDecoder('utf-8', { fatal: true });

function invalid(msg: string): Validated<never> {
  return { ok: false, detail: [faultAt(['body'], { type: 'json_invalid', msg })] };
}

/**
 * Reads a request body that must be a JSON object in UTF-8.
 *
 * A body that is not JSON, not UTF-8 or not `application/json` (a charset may follow) has a single
 * fault, since nothing can be said about its fields.
 */
export function readJsonBody(bytes: Uint8Array, contentType: string | null): Validated<JsonBody> {
  if (contentType === null || !JSON_MEDIA_TYPE.test(contentType)) {
    return {
      ok: false,
      detail: [
        faultAt(['body'], {
          ...NOT_AN_OBJECT,
          msg: `${NOT_AN_OBJECT.msg}: Content-Type should be application/json`,
        }),
      ],
    };
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return invalid(
      'JSON decode error: the body is not valid UTF-8; compressed bodies are not accepted',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('JSON decode error: the body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, detail: [faultAt(['body'], NOT_AN_OBJECT)] };
  }
  const source = inspectJsonSource(text);
  const textFaults: ValidationItem[] = [];
  const createFaults: ValidationItem[] = [];
  for (const { path, kind } of source.faults) {
    const faults = TEXT_FAULTS.has(kind) ? textFaults : createFaults;
    faults.push(faultAt(['body', ...path], SOURCE_FAULTS[kind]));
  }
  return {
    ok: true,
    value: {
      value: value as JsonObject,
      merchantDataText: source.merchantDataText,
      textFaults,
      createFaults,
    },
  };
}
