import { ERRORS, type ErrorKind } from './error-codes.ts';
import { fillIn } from './fill-in.ts';

/** Names a refusal; every language finds its text by it. */
export type ErrorCode = keyof typeof ERRORS;

type ValuesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string | number> & ValuesIn<Rest>
  : unknown;
type ValuesOf<Code extends ErrorCode> = ValuesIn<(typeof ERRORS)[Code][1]>;

/** A code whose text has no placeholders. */
export type PlainErrorCode = {
  [Code in ErrorCode]: unknown extends ValuesOf<Code> ? Code : never;
}[ErrorCode];

type Refusal =
  | [code: PlainErrorCode, values?: Record<string, never>, internal?: string]
  | {
      [Code in Exclude<ErrorCode, PlainErrorCode>]: [code: Code, values: ValuesOf<Code>];
    }[Exclude<ErrorCode, PlainErrorCode>];

/**
 * The gateway's only error that is meant for a caller, by its code in `ERRORS`.
 *
 * `message` is its English text and may be shown as it is; `internal` goes to the log only.
 * Anything thrown that is not a GatewayError is a fault of ours (500).
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  /** The values for the placeholders of its text. */
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

/** A command cannot do what it was asked; the message is for the terminal. */
export class CommandError extends Error {}

/** A setting has an impossible value; the message names the setting and what it must be. */
export class SettingError extends Error {}

/**
 * Why something failed, in words. Connecting to a host with several addresses fails with one error
 * for each address and an empty message of its own.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(reasonOf).join(', ');
  }
  return (error instanceof Error && error.message) || String(error);
}
