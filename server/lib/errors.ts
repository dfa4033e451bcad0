/** HTTP-neutral kinds of failure; each edge maps them once. */
export type ErrorCode =
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'validation'
  | 'rate_limited'
  | 'unavailable';

/**
 * The one error of the gateway that is meant for a caller.
 *
 * `message` is public and may be shown as it stands; `internal` goes to the log
 * only. Anything thrown that is not a GatewayError is a fault of ours (500).
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly internal: string | undefined;

  constructor(code: ErrorCode, message: string, internal?: string) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
    this.internal = internal;
  }
}

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
