/** FastAPI's and Pydantic 2's fault names that the gateway uses. */
export const FAULT_TYPES = [
  'missing',
  'int_type',
  'int_from_float',
  'greater_than',
  'less_than_equal',
  'string_type',
  'string_too_short',
  'string_too_long',
  'string_pattern_mismatch',
  'list_type',
  'too_short',
  'too_long',
  'dict_type',
  'model_attributes_type',
  'enum',
  'url_parsing',
  'url_scheme',
  'json_invalid',
  'value_error',
] as const;
export type FaultType = (typeof FAULT_TYPES)[number];

/** One element of a 422 body's `detail`. */
export type ValidationItem = { loc: (string | number)[]; msg: string; type: FaultType };

/** A request's data, or all of its faults. */
export type Validated<T> = { ok: true; value: T } | { ok: false; detail: ValidationItem[] };

/** What our own checks put into a zod issue's `params`. */
export type FaultParams = { type: FaultType; msg: string };

/** The parts of a zod issue that the mapping reads. */
type Issue = {
  code?: string;
  path: PropertyKey[];
  expected?: string;
  origin?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
  values?: unknown[];
  params?: { [key: string]: unknown };
};

/** The last millisecond of 9999-12-31, UTC. */
export const LATEST_END_DATE_MS = 253_402_300_799_999;

export const MISSING: FaultParams = { type: 'missing', msg: 'Field required' };

export const EMPTY_STRING: FaultParams = {
  type: 'string_too_short',
  msg: 'String should have at least 1 character',
};

const STRING_TYPE: FaultParams = {
  type: 'string_type',
  msg: 'Input should be a valid string',
};

export const NOT_AN_OBJECT: FaultParams = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
};

export const FRACTION: FaultParams = {
  type: 'int_from_float',
  msg: 'Input should be a valid integer, got a number with a fractional part',
};

/** Builds a fault at a place; `loc` starts with body, query or header. */
export function faultAt(loc: (string | number)[], fault: FaultParams): ValidationItem {
  return { loc, msg: fault.msg, type: fault.type };
}

/** Pydantic's form for a rule without a type of its own. */
export function valueError(text: string): FaultParams {
  return { type: 'value_error', msg: `Value error, ${text}` };
}

/**
 * Maps zod's issues about `input`, a request's body, to items of a 422 body, in the schema's order.
 * Undefined fields are `missing`; null is a type fault (only an optional field may be null).
 */
export function toValidationItems(issues: readonly Issue[], input: unknown): ValidationItem[] {
  const items: ValidationItem[] = [];
  for (const issue of issues) {
    // zod reports an integer beyond ±(2^53 − 1) twice: once by its own range (origin 'int'), once
    // by ours.
    if (issue.origin === 'int') continue;
    const path = issue.path as (string | number)[];
    items.push(faultAt(['body', ...path], explain(issue, valueAt(input, path))));
  }
  return items;
}

function valueAt(input: unknown, path: (string | number)[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as { [key: string | number]: unknown })[key];
  }
  return value;
}

function explain(issue: Issue, value: unknown): FaultParams {
  if (issue.code === 'custom') return issue.params as FaultParams;
  if (value === undefined) return MISSING;
  switch (issue.code) {
    case 'invalid_type':
      return explainType(issue, value);
    case 'invalid_value':
      return explainEnum(issue.values ?? [], value);
    case 'too_small':
      return explainTooSmall(issue);
    case 'too_big':
      return {
        type: 'less_than_equal',
        msg: `Input should be less than or equal to ${issue.maximum}`,
      };
    default:
      return valueError('the value is not allowed');
  }
}

function explainType({ expected, path }: Issue, value: unknown): FaultParams {
  switch (expected) {
    case 'string':
      return STRING_TYPE;
    case 'number':
    case 'int':
      return explainNumber(value, path.at(-1) === 'end_date' ? LATEST_END_DATE_MS : undefined);
    case 'array':
      return { type: 'list_type', msg: 'Input should be a valid list' };
    default:
      return NOT_AN_OBJECT;
  }
}

function explainNumber(value: unknown, maximum = Number.MAX_SAFE_INTEGER): FaultParams {
  if (typeof value !== 'number') {
    return { type: 'int_type', msg: 'Input should be a valid integer' };
  }
  if (Number.isFinite(value)) return FRACTION;
  // JSON.parse reads 1e999 as infinity.
  return value > 0
    ? {
        type: 'less_than_equal',
        msg: `Input should be less than or equal to ${maximum}`,
      }
    : { type: 'greater_than', msg: 'Input should be greater than 0' };
}

function explainEnum(values: unknown[], value: unknown): FaultParams {
  if (typeof value !== 'string') return STRING_TYPE;
  return notAmong(values.map((allowed) => `'${String(allowed)}'`));
}

/** The fault of a value that is none of these, as they stand in a request. */
export function notAmong(allowed: readonly string[]): FaultParams {
  const last = allowed.at(-1);
  const others = allowed.slice(0, -1).join(', ');
  return { type: 'enum', msg: `Input should be ${others ? `${others} or ${last}` : last}` };
}

function explainTooSmall(issue: Issue): FaultParams {
  if (issue.origin === 'array') {
    return {
      type: 'too_short',
      msg: `List should have at least ${issue.minimum} item after validation, not 0`,
    };
  }
  return { type: 'greater_than', msg: `Input should be greater than ${issue.minimum}` };
}
