import { initTRPC } from '@trpc/server';
import type { StaffSession } from '../auth/sessions.ts';
import { GatewayError, type PlainErrorCode } from '../lib/errors.ts';
import type { Environment } from '../merchants/types.ts';
import { tellRefusal } from '../observability/refusals.ts';
import { isAllowed, isResting, type Permission } from '../staff/roles.ts';
import { type RequestContext, tenantFor } from './context.ts';
import { failureOf, refusalOf, trpcError } from './refusals.ts';
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
    errorFormatter: ({ shape, error, ctx }) => {
      const refusal = refusalOf(error);
      return {
        ...shape,
        message: refusal ? (ctx?.inWords ?? inEnglish)(refusal) : error.message,
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          reason: refusal?.code ?? null,
        },
      };
    },
  });

const inEnglish = ({ message }: GatewayError): string => message;

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
  if (!session) throw trpcError(new GatewayError('signed_out'));
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

/**
 * Why a call comes from a page that is out of date, or null: it shows another merchant than the
 * session's, which another tab or the end of an impersonation has changed meanwhile; or it changes something
 * without saying whose page it is. No boundary, for the caller says it: it keeps a press from
 * meaning what nobody saw.
 */
function whyOutdated(
  { shownMerchantId, session }: RequestContext,
  type: 'query' | 'mutation' | 'subscription',
): PlainErrorCode | null {
  if (shownMerchantId === undefined || !session) return null;
  if (shownMerchantId === null) {
    return session.merchant !== null && type === 'mutation' ? 'page_of_earlier_version' : null;
  }
  if (shownMerchantId === session.merchant?.id) return null;
  return 'page_of_other_merchant';
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
    if (outdated !== null) throw new GatewayError(outdated);
    if (session.mustSetUpSecondFactor) throw new GatewayError('second_factor_missing');
    const { merchant } = session;
    if (merchant && isResting(merchant, permission)) {
      throw new GatewayError('merchant_suspended');
    }
    if (!merchant || !tenant || !isAllowed(merchant, permission)) {
      throw new GatewayError('permission_missing');
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
  if (!session.isOperator) throw new GatewayError('not_operator');
  if (session.mustSetUpAsOperator) throw new GatewayError('second_factor_missing');
  const actor = { ...ctx.actor, type: 'operator' as const };
  const tenantOf = (merchantId: string, environment: Environment) =>
    tenantFor(session, merchantId, environment);
  return next({ ctx: { actor, tenantOf } });
});

export const { router, createCallerFactory } = t;
