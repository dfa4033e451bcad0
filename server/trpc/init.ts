import { initTRPC, TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { StaffSession } from '../auth/sessions.ts';
import { isDatabaseBusy } from '../db/pool.ts';
import { type ErrorCode, GatewayError } from '../lib/errors.ts';
import type { Environment } from '../merchants/types.ts';
import { tellRefusal } from '../observability/refusals.ts';
import { isAllowed, isResting, type Permission } from '../staff/roles.ts';
import { busyError, type RequestContext, tenantFor } from './context.ts';
import { transformer } from './transformer.ts';

/** What every procedure says of itself; the gate and the test that walks them all read it. */
type Meta = {
  permission: Permission | 'operator';
  /** About the person alone: open without a merchant, and before a second factor is set up. */
  isPersonal?: boolean;
};

const t = initTRPC
  .context<RequestContext>()
  .meta<Meta>()
  .create({
    transformer,
    // Neither stack nor cause leaves the process; a fault of ours is told as one.
    errorFormatter: ({ shape, error, ctx }) => ({
      ...shape,
      message: (ctx?.inWords ?? asItIs)(publicMessage(error)),
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        faults: error.cause instanceof ZodError ? error.cause.issues.map(toFault) : null,
      },
    }),
  });

const asItIs = (message: string): string => message;

function publicMessage({ code, cause, message }: TRPCError): string {
  if (code === 'INTERNAL_SERVER_ERROR') return 'Internal server error';
  if (!(cause instanceof ZodError)) return message;
  const fields = new Set(cause.issues.map(({ path }) => path.map(String).join('.') || 'input'));
  return `Not valid: ${[...fields].join(', ')}.`;
}

function toFault({ path, message }: { path: PropertyKey[]; message: string }) {
  return { field: path.map(String).join('.'), message };
}

const CODES: Record<ErrorCode, TRPCError['code']> = {
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  validation: 'BAD_REQUEST',
  rate_limited: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
};

type Failed = { ok: false; error: TRPCError };

/** An error that is meant for the caller gets its code; all else stays a fault of ours. Null: none. */
function failureOf(result: { ok: boolean }): TRPCError | null {
  if (result.ok) return null;
  const { error } = result as Failed;
  const { cause } = error;
  if (cause instanceof GatewayError) {
    return new TRPCError({ code: CODES[cause.code], message: cause.message, cause });
  }
  return isDatabaseBusy(cause) ? busyError(cause) : error;
}

function actorOf(session: StaffSession, address: string | null) {
  return {
    type: session.impersonatingUntilMs === null ? ('staff' as const) : ('operator' as const),
    id: session.user.id,
    label: session.user.email,
    address,
  };
}

/** What every gate begins with: a running session. */
const signedIn = t.procedure.use(async ({ ctx, next, path }) => {
  const { session, address, requestId } = ctx;
  if (!session) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in first.' });
  const actor = actorOf(session, address);
  const result = await next({ ctx: { session, actor } });
  const failure = failureOf(result);
  if (failure?.code === 'FORBIDDEN') {
    const refusal = { what: 'permission', outcome: 'refused', address, requestId } as const;
    tellRefusal({ ...refusal, account: session.user.email, about: { procedure: path } });
  }
  if (failure) throw failure;
  return result;
});

/** Of a tab that was open while the gateway was updated. */
export const EARLIER_PAGE = 'This page is of an earlier version of the gateway. Load it again.';

/**
 * Why a call comes from a page that is out of date, or null: it shows another merchant than the
 * session's, which another tab or the end of an impersonation has changed meanwhile; or it changes something
 * without saying whose page it is. No boundary, for the caller says it: it keeps a press from
 * meaning what nobody saw.
 */
function whyOutdated(
  { shownMerchantId, session }: RequestContext,
  type: 'query' | 'mutation' | 'subscription',
): string | null {
  if (shownMerchantId === undefined || !session) return null;
  if (shownMerchantId === null) {
    return session.merchant !== null && type === 'mutation' ? EARLIER_PAGE : null;
  }
  if (shownMerchantId === session.merchant?.id) return null;
  return 'This page shows another merchant. Load it again.';
}

/**
 * The one gate of the dashboard: a running session, a merchant, and a role that may do
 * what the procedure names. It stands before the input is looked at, so that nobody
 * learns from a complaint about their input that something exists. Where the merchant demands
 * a second factor, who has none passes here for nothing.
 */
export function staffProcedure(permission: Permission) {
  return signedIn.meta({ permission }).use(({ ctx, next, type }) => {
    const { session, tenant } = ctx;
    const outdated = whyOutdated(ctx, type);
    if (outdated !== null) {
      // A code of its own: a conflict means something else on each screen.
      throw new TRPCError({ code: 'PRECONDITION_FAILED', message: outdated });
    }
    if (session.mustSetUpSecondFactor) {
      throw new TRPCError({ code: 'FORBIDDEN', message: 'Set up a second factor first.' });
    }
    const { merchant } = session;
    if (merchant && isResting(merchant, permission)) {
      throw new TRPCError({ code: 'FORBIDDEN', message: 'The merchant is suspended.' });
    }
    if (!merchant || !tenant || !isAllowed(merchant, permission)) {
      throw new TRPCError({ code: 'FORBIDDEN', message: 'Your role does not allow this.' });
    }
    return next({ ctx: { merchant, tenant } });
  });
}

/** The gate of what concerns the person alone: a running session; it opens no merchant's data. */
export const personProcedure = signedIn.meta({ permission: 'account.self', isPersonal: true });

/**
 * The gateway's own staff and nobody else, whatever their role at a merchant; with a second factor
 * where the gateway demands one.
 */
export const operatorProcedure = signedIn.meta({ permission: 'operator' }).use(({ ctx, next }) => {
  const { session } = ctx;
  if (!session.isOperator) {
    throw new TRPCError({ code: 'FORBIDDEN', message: 'This is for the gateway’s own staff.' });
  }
  if (session.mustSetUpAsOperator) {
    throw new TRPCError({ code: 'FORBIDDEN', message: 'Set up a second factor first.' });
  }
  const actor = { ...ctx.actor, type: 'operator' as const };
  const tenantOf = (merchantId: string, environment: Environment) =>
    tenantFor(session, merchantId, environment);
  return next({ ctx: { actor, tenantOf } });
});

export const { router, createCallerFactory } = t;
