import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { ZodError } from 'zod';
import { type ErrorCode, GatewayError } from '../lib/errors.ts';
import { isAllowed, type Permission } from '../merchants/roles.ts';
import type { RequestContext } from './context.ts';

/** What every procedure says of itself; the gate and the test that walks them all read it. */
type Meta = { permission: Permission };

const t = initTRPC
  .context<RequestContext>()
  .meta<Meta>()
  .create({
    transformer: superjson,
    // Neither stack nor cause leaves the process; a fault of ours is told as one.
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: error.code === 'INTERNAL_SERVER_ERROR' ? 'Internal server error' : shape.message,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        faults: error.cause instanceof ZodError ? error.cause.issues.map(toFault) : null,
      },
    }),
  });

function toFault({ path, message }: { path: PropertyKey[]; message: string }) {
  return { field: path.map(String).join('.'), message };
}

const CODES: Record<ErrorCode, TRPCError['code']> = {
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'METHOD_NOT_SUPPORTED',
  conflict: 'CONFLICT',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  validation: 'BAD_REQUEST',
  rate_limited: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
};

/**
 * The one gate of the dashboard: a running session, a merchant, and a role that may do
 * what the procedure names. It stands before the input is looked at, so that nobody
 * learns from a complaint about their input that something exists.
 */
export function staffProcedure(permission: Permission) {
  return t.procedure.meta({ permission }).use(async ({ ctx, next }) => {
    const { session, tenant } = ctx;
    if (!session) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in first.' });
    const { merchant } = session;
    if (!merchant || !tenant || !isAllowed(merchant.role, permission)) {
      throw new TRPCError({ code: 'FORBIDDEN', message: 'Your role does not allow this.' });
    }
    const actor = {
      type: 'staff' as const,
      id: session.user.id,
      label: session.user.email,
      address: ctx.address,
    };
    const result = await next({ ctx: { ...ctx, session, merchant, tenant, actor } });
    const cause = result.ok ? undefined : result.error.cause;
    if (cause instanceof GatewayError) {
      throw new TRPCError({ code: CODES[cause.code], message: cause.message });
    }
    return result;
  });
}

export const { router, createCallerFactory } = t;
