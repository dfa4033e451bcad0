import type { ValidationItem } from './validation.ts';

/** HTTP statuses that are answered in the envelope, with the same number as error_code. */
export type EnvelopeErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 413
  | 417
  | 429
  | 431
  | 500
  | 503;

/** `{"result":true,"data":…,"error":null}` around JSON text that is already written. */
export function successEnvelope(dataText: string): string {
  return `{"result":true,"data":${dataText},"error":null}`;
}

/** `{"result":false,"data":null,"error":{"message":…,"error_code":…}}`. */
export function errorEnvelope(status: EnvelopeErrorStatus, message: string): string {
  return JSON.stringify({ result: false, data: null, error: { message, error_code: status } });
}

/** The body of a 422: not in the envelope (contract, "Errors"). */
export function validationBody(detail: readonly ValidationItem[]): string {
  return JSON.stringify({ detail });
}
