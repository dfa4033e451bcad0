import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { isDatabaseBusy } from '../db/pool.ts';
import type { ErrorKind } from '../lib/error-codes.ts';
import { GatewayError } from '../lib/errors.ts';
import { busyError } from './context.ts';

const CODES: Record<ErrorKind, TRPCError['code']> = {
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  validation: 'BAD_REQUEST',
  rate_limited: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  // Not a conflict, which means something else on each screen.
  outdated: 'PRECONDITION_FAILED',
  internal: 'INTERNAL_SERVER_ERROR',
};

/** Converts a refusal to tRPC's form. */
export function trpcError(refusal: GatewayError): TRPCError {
  return new TRPCError({ code: CODES[refusal.kind], message: refusal.message, cause: refusal });
}

/** Why a call was refused; internal faults stay unnamed. Null for tRPC's own refusals. */
export function refusalOf({ code, cause }: TRPCError): GatewayError | null {
  if (code === 'INTERNAL_SERVER_ERROR') return new GatewayError('internal_error');
  if (cause instanceof GatewayError) return cause;
  if (!(cause instanceof ZodError)) return null;
  const fields = new Set(cause.issues.map(({ path }) => path.map(String).join('.') || 'input'));
  return new GatewayError('input_invalid', { fields: [...fields].join(', ') });
}

/** Why a procedure failed, or null; an error not meant for the caller stays an internal fault. */
export function failureOf(result: { ok: boolean }): TRPCError | null {
  if (result.ok) return null;
  const { error } = result as { ok: false; error: TRPCError };
  const { cause } = error;
  if (cause instanceof GatewayError) return trpcError(cause);
  return isDatabaseBusy(cause) ? trpcError(busyError(cause)) : error;
}
