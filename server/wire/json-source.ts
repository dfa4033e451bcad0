/** Where a fault is in a body: object keys and array indexes, outermost first. */
export type SourcePath = (string | number)[];

export type SourceFault = {
  path: SourcePath;
  kind:
    | 'nul'
    | 'lone_surrogate'
    | 'proto_key'
    | 'inexact_number'
    | 'too_deep'
    | 'fraction_rounded_away';
};

export type JsonSource = {
  faults: SourceFault[];
  /** The source text of the last top-level `merchant_data`, or null when there is none. */
  merchantDataText: string | null;
};

export const MERCHANT_DATA_MAX_DEPTH = 32;

// Bounds the answer to a hostile body: more detail would help nobody, and 100,000 nested arrays
// would make a path of 100,000 elements.
const MAX_FAULTS = 100;
const MAX_PATH_LENGTH = 64;
const MAX_KEY_LENGTH = 128;
/** Limits all keys but the last; otherwise a body of 256 KiB could ask for an answer of many MB. */
const MAX_PATH_TEXT = 512;

/**
 * Patterns that require a scan of the source: an escape that could hide a NUL, a lone surrogate or
 * a key; `__proto__`; merchant data, whose text is kept; a number that is not a plain integer.
 * Ordinary bodies without merchant data have none of them and skip the scan.
 */
const NEEDS_SCAN = /\\u|__proto__|"merchant_data"|\d\.\d|\d[eE][+\-\d]/;

const TOKEN = /[-+.0-9eE]+/y;

type Container = { isObject: boolean; key: string | number };

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

function shortened(key: string | number): string | number {
  if (typeof key === 'number' || key.length <= MAX_KEY_LENGTH) return key;
  return `${key.slice(0, MAX_KEY_LENGTH)}…`;
}

/** One pass over JSON text that `JSON.parse` accepted; iterative, so depth costs no stack. */
class SourceScanner {
  private readonly text: string;
  private position = 0;
  private readonly stack: Container[] = [];
  private expectsKey = false;
  private merchantDataStart = -1;
  private merchantDataEnd = -1;
  private isInMerchantData = false;
  private isTooDeep = false;
  private readonly faults: SourceFault[] = [];
  private merchantDataFaults: SourceFault[] = [];
  // Keyed by field or position, because a repeated key replaces the earlier value (the last one
  // counts, as in JSON.parse) and that value's fault with it. Each is removed in one step: a walk
  // over all faults for every key would be quadratic.
  private readonly roundedFields = new Map<string | number | undefined, SourceFault>();
  private roundedPositions = new Map<string | number | undefined, SourceFault>();

  constructor(text: string) {
    this.text = text;
  }

  scan(): JsonSource {
    while (this.position < this.text.length) this.step();
    return {
      faults: [
        ...this.faults,
        ...this.merchantDataFaults,
        ...this.roundedFields.values(),
        ...[...this.roundedPositions.values()].slice(0, MAX_FAULTS),
      ],
      merchantDataText:
        this.merchantDataEnd < 0
          ? null
          : this.text.slice(this.merchantDataStart, this.merchantDataEnd),
    };
  }

  private step(): void {
    const code = this.text.charCodeAt(this.position);
    switch (code) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.open(code === OPEN_OBJECT);
        return;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.stack.pop();
        this.position++;
        this.expectsKey = false;
        this.endValue();
        return;
      case QUOTE:
        this.readString();
        return;
      case COMMA:
        this.next();
        return;
      case COLON:
        this.position++;
        return;
      default:
        this.readScalar(code);
    }
  }

  private open(isObject: boolean): void {
    this.startValue();
    this.stack.push({ isObject, key: isObject ? '' : 0 });
    this.expectsKey = isObject;
    this.position++;
    // The root object is the first level of the stack, merchant_data the second. Only the first
    // branch that is too deep is reported: all their faults have the same place, merchant_data. It
    // comes before faults of numbers, which may fill the answer.
    if (
      this.isInMerchantData &&
      !this.isTooDeep &&
      this.stack.length === MERCHANT_DATA_MAX_DEPTH + 2
    ) {
      this.isTooDeep = true;
      this.merchantDataFaults.unshift({ path: ['merchant_data'], kind: 'too_deep' });
    }
  }

  private next(): void {
    this.position++;
    const container = this.stack.at(-1);
    if (container === undefined) return;
    if (container.isObject) this.expectsKey = true;
    else container.key = (container.key as number) + 1;
  }

  private readString(): void {
    const isKey = this.expectsKey;
    if (!isKey) this.startValue();
    const end = this.endOfString(this.position);
    const source = this.text.slice(this.position, end);
    this.position = end;
    const value = source.includes('\\')
      ? (JSON.parse(source) as string)
      : source.slice(1, source.length - 1);
    if (isKey) this.readKey(value);
    this.checkText(value);
    if (!isKey) this.endValue();
  }

  private endOfString(start: number): number {
    let end = start;
    for (;;) {
      end = this.text.indexOf('"', end + 1);
      let backslashes = 0;
      while (this.text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
      if (backslashes % 2 === 0) return end + 1;
    }
  }

  private readKey(key: string): void {
    const container = this.stack.at(-1);
    if (container === undefined) return;
    this.expectsKey = false;
    container.key = key;
    if (key === '__proto__') this.addFault('proto_key');
    this.forgetReplaced(key);
    if (this.stack.length === 1) this.isInMerchantData = key === 'merchant_data';
  }

  private forgetReplaced(key: string): void {
    if (this.stack.length === 1) {
      this.roundedFields.delete(key);
      if (key === 'positions') this.roundedPositions = new Map();
    } else if (this.isIntegerField()) {
      this.roundedPositions.delete(this.stack[1]?.key);
    }
  }

  private checkText(value: string): void {
    if (value.includes('\0')) this.addFault('nul');
    // With the u flag a well-formed pair is one character and does not match.
    if (/[\ud800-\udfff]/u.test(value)) this.addFault('lone_surrogate');
  }

  private readScalar(code: number): void {
    const isNumber = code === 0x2d || (code >= 0x30 && code <= 0x39);
    const isWord = code === 0x74 || code === 0x66 || code === 0x6e;
    if (!isNumber && !isWord) {
      this.position++;
      return;
    }
    this.startValue();
    if (isWord) {
      this.position += code === 0x66 ? 5 : 4;
    } else {
      TOKEN.lastIndex = this.position;
      const token = TOKEN.exec(this.text)?.[0] ?? '';
      this.position += token.length;
      this.checkNumber(token);
    }
    this.endValue();
  }

  private checkNumber(token: string): void {
    if (this.isInMerchantData) {
      if (Math.abs(Number(token)) > Number.MAX_SAFE_INTEGER) {
        this.addInexactNumber();
      }
      return;
    }
    if (!/[.eE]/.test(token) || !Number.isInteger(Number(token)) || isExactInteger(token)) return;
    if (!this.isIntegerField()) return;
    const fault: SourceFault = { path: this.path(), kind: 'fraction_rounded_away' };
    if (this.stack.length === 1) this.roundedFields.set(this.stack[0]?.key, fault);
    else this.roundedPositions.set(this.stack[1]?.key, fault);
  }

  /** amount, end_date, positions[i].amount: the contract's integers. */
  private isIntegerField(): boolean {
    const [first, , third] = this.stack;
    if (this.stack.length === 1) return first?.key === 'amount' || first?.key === 'end_date';
    return this.stack.length === 3 && first?.key === 'positions' && third?.key === 'amount';
  }

  private startValue(): void {
    if (this.stack.length !== 1 || !this.isInMerchantData) return;
    this.merchantDataStart = this.position;
    this.merchantDataFaults = [];
    this.isTooDeep = false;
  }

  private endValue(): void {
    if (this.stack.length !== 1 || !this.isInMerchantData) return;
    this.merchantDataEnd = this.position;
    this.isInMerchantData = false;
  }

  private path(): SourcePath {
    const path = this.stack.slice(0, MAX_PATH_LENGTH).map(({ key }) => shortened(key));
    let length = 0;
    const end = path.findIndex((key) => {
      length += String(key).length;
      return length > MAX_PATH_TEXT;
    });
    const isWhole = end < 0 || end === path.length - 1;
    return isWhole ? path : [...path.slice(0, end), '…', ...path.slice(-1)];
  }

  private addFault(kind: SourceFault['kind']): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ path: this.path(), kind });
  }

  private addInexactNumber(): void {
    if (this.merchantDataFaults.length < MAX_FAULTS) {
      this.merchantDataFaults.push({ path: this.path(), kind: 'inexact_number' });
    }
  }
}

/**
 * Finds what `JSON.parse` loses: the text of `merchant_data` (JavaScript reorders integer-like
 * keys, so the text could not be restored), digits that a double cannot hold, `__proto__` keys, and
 * what PostgreSQL's text cannot hold (NUL, lone surrogates).
 *
 * `text` must be a JSON object that `JSON.parse` has accepted.
 */
export function inspectJsonSource(text: string): JsonSource {
  if (!NEEDS_SCAN.test(text)) return { faults: [], merchantDataText: null };
  return new SourceScanner(text).scan();
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Whether a JSON number token is an integer, by its digits alone.
 *
 * A double rounds `1.0000000000000000001` to 1; the token does not, and an amount must be exact.
 */
export function isExactInteger(token: string): boolean {
  const match = NUMBER.exec(token);
  if (match === null) return false;
  const whole = match[1] ?? '';
  const fraction = match[2] ?? '';
  const digits = whole + fraction;
  const trailingZeros = countTrailingZeros(digits);
  if (trailingZeros === digits.length) return true;
  return Number(match[3] ?? '0') - fraction.length + trailingZeros >= 0;
}

function countTrailingZeros(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.length - end;
}
