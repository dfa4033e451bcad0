import { z } from 'zod';
import { INVOICE_LIMITS } from '../invoices/types.ts';
import { CURRENCIES, MAX_AMOUNT_MINOR } from '../lib/money.ts';
import type { FaultParams } from './validation.ts';
import { EMPTY_STRING, LATEST_END_DATE_MS, valueError } from './validation.ts';

/** A check that reports a fault in our own words and does not suppress other checks. */
function rule<T>(check: (value: T) => FaultParams | null) {
  return (payload: { value: T; issues: z.core.$ZodRawIssue[] }): void => {
    const fault = check(payload.value);
    if (fault !== null) {
      payload.issues.push({ code: 'custom', input: payload.value, params: fault, continue: true });
    }
  };
}

/** Length in Unicode code points, as a person counts: 1,024 emoji are 1,024 characters. */
function codePointLength(value: string): number {
  let pairs = 0;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff) pairs++;
  }
  return value.length - pairs;
}

function plural(count: number): string {
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}

function lengthFault(value: string, minimum: number, maximum: number): FaultParams | null {
  // A string has at most as many code points as code units and at least half.
  if (value.length >= minimum && value.length <= maximum) return null;
  if (value.length < minimum) {
    return { type: 'string_too_short', msg: `String should have at least ${plural(minimum)}` };
  }
  if (codePointLength(value) <= maximum) return null;
  return { type: 'string_too_long', msg: `String should have at most ${plural(maximum)}` };
}

/** Text of `minimum` to `maximum` code points (minimum 0 or 1). */
export function text(minimum: number, maximum: number) {
  return z
    .string()
    .check(rule((value) => lengthFault(value, minimum, maximum)))
    .meta({ minLength: minimum, maxLength: maximum });
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** Whether the text holds a C0 or C1 control character or DEL. */
function hasControlCharacter(value: string): boolean {
  return CONTROL_CHARACTER.test(value);
}

/**
 * 1 to 255 characters without control characters, compared exactly: only what would break logs and
 * exports is refused.
 */
export const merchantTransactionId = text(1, INVOICE_LIMITS.merchantTransactionId)
  .check(
    rule((value) =>
      hasControlCharacter(value)
        ? {
            type: 'string_pattern_mismatch',
            msg: 'String should not contain control characters',
          }
        : null,
    ),
  )
  .meta({ pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$' });

const HTTP_START = /^https?:\/\/[^/?#\\]/i;
// RFC 3986 forbids them all. The WHATWG parser drops or rewrites them, so the text would not be the
// address that a browser opens.
const NEVER_IN_URL = /[\s\\]/;

const BAD_URL: FaultParams = {
  type: 'url_parsing',
  msg: 'Input should be a valid URL',
};

function urlLengthFault(value: string): FaultParams | null {
  if (value.length <= INVOICE_LIMITS.url || codePointLength(value) <= INVOICE_LIMITS.url) {
    return null;
  }
  return {
    type: 'string_too_long',
    msg: `URL should have at most ${INVOICE_LIMITS.url} characters`,
  };
}

function urlFault(value: string): FaultParams | null {
  if (NEVER_IN_URL.test(value) || hasControlCharacter(value) || !URL.canParse(value)) {
    return BAD_URL;
  }
  if (!HTTP_START.test(value)) {
    return /^https?:/i.test(value)
      ? BAD_URL
      : { type: 'url_scheme', msg: "URL scheme should be 'http' or 'https'" };
  }
  return null;
}

function userFault(value: string): FaultParams | null {
  const authority = /^[^/?#]*:\/\/([^/?#\\]*)/.exec(value)?.[1] ?? '';
  return authority.includes('@')
    ? valueError('a URL must not carry a user name or a password')
    : null;
}

/** The rules beyond a URI that a pattern can express: programs do not read descriptions. */
const HTTP_URL_PATTERN = '^[Hh][Tt]{2}[Pp][Ss]?://[^\\s/?#@\\\\]+([/?#][^\\s\\\\]*)?$';

/** An absolute http or https address: it becomes a browser redirect or a server request. */
export const httpUrl = z
  .string()
  .check(rule(urlLengthFault), rule(urlFault), rule(userFault))
  .meta({
    format: 'uri',
    pattern: HTTP_URL_PATTERN,
    maxLength: INVOICE_LIMITS.url,
    example: 'https://shop.example/return',
  });

/** Minor units, exact in every JSON reader. */
export const amount = z.int().positive().max(Number(MAX_AMOUNT_MINOR)).meta({
  description: 'Minor units, hundredths in all four currencies: 1500 is 15.00 USD, or 15.00 UZS',
});

export const currency = z.enum(CURRENCIES).meta({ description: 'ISO 4217' });

export const endDate = z
  .int()
  .positive()
  .max(LATEST_END_DATE_MS)
  .meta({ description: 'UTC, milliseconds; after it the invoice is EXPIRED' });

function dictFault(value: unknown): FaultParams | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object' && !Array.isArray(value)) return null;
  return { type: 'dict_type', msg: 'Input should be a valid dictionary' };
}

/**
 * Any JSON object, or null. Its content is not checked here: json-source.ts checks the text, which
 * is what is stored.
 */
export const merchantData = z
  .unknown()
  .check(rule(dictFault))
  .optional()
  .meta({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Returned in the callback, with the same values in the same order. At most 16 KiB of JSON text as sent and 32 levels; numbers within ±9007199254740991.',
  });

export const anyString = z.string();

/** A non-empty string; the id may be unknown. */
export const requiredId = z
  .string()
  .check(rule((value) => (value === '' ? EMPTY_STRING : null)))
  .meta({ minLength: 1 });
