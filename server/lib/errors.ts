import { ERRORS, type ErrorKind } from './error-codes.ts';
import { fillIn } from './fill-in.ts';

/** Names what is refused; its words are found by it in every language. */
export type ErrorCode = keyof typeof ERRORS;

type ValuesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string | number> & ValuesIn<Rest>
  : unknown;
type ValuesOf<Code extends ErrorCode> = ValuesIn<(typeof ERRORS)[Code][1]>;

/** A code whose words name nothing. */
export type PlainErrorCode = {
  [Code in ErrorCode]: unknown extends ValuesOf<Code> ? Code : never;
}[ErrorCode];

type Refusal =
  | [code: PlainErrorCode, values?: Record<string, never>, internal?: string]
  | {
      [Code in Exclude<ErrorCode, PlainErrorCode>]: [code: Code, values: ValuesOf<Code>];
    }[Exclude<ErrorCode, PlainErrorCode>];

/**
 * The one error of the gateway that is meant for a caller, by its code in `ERRORS`.
 *
 * `message` says it in English and may be shown as it stands; `internal` goes to the log only.
 * Anything thrown that is not a GatewayError is a fault of ours (500).
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  /** What its words name. */
  readonly values: Record<string, string | number>;
  readonly internal: string | undefined;

  constructor(...[code, values = {}, internal]: Refusal) {
    const [kind, text] = ERRORS[code];
    super(fillIn(text, values));
    this.name = 'GatewayError';
    this.code = code;
    this.kind = kind;
    this.values = values;
    this.internal = internal;
  }
}

/** What a command cannot do as it was given; its words are for the terminal. */
export class CommandError extends Error {}

/** A setting that cannot be what it is: the message names it and what it must be. */
export class SettingError extends Error {}

/**
 * Why something failed, in words. Where a host has several addresses, connecting fails with an
 * error for each of them and no words of its own.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(reasonOf).join(', ');
  }
  return (error instanceof Error && error.message) || String(error);
}
