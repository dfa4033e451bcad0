import { initTRPC } from '@trpc/server';
import type { StaffSession } from '../auth/sessions.ts';
import { GatewayError, type PlainErrorCode } from '../lib/errors.ts';
import type { Environment } from '../merchants/types.ts';
import { tellRefusal } from '../observability/refusals.ts';
import { isAllowed, isResting, type Permission } from '../staff/roles.ts';
import { type RequestContext, tenantFor } from './context.ts';
import { failureOf, refusalOf, trpcError } from './refusals.ts';
import { transformer } from './transformer.ts';

/** Each procedure's metadata, for the gate and for the test that walks all procedures. */
type Meta = {
  permission: Permission | 'operator';
  /** Concerns the person alone: open without a merchant, and before a second factor is set up. */
  isPersonal?: boolean;
};

const t = initTRPC
  .context<RequestContext>()
  .meta<Meta>()
  .create({
    transformer,
    // Neither stack nor cause leaves the process; an internal fault is reported only as such.
    errorFormatter: ({ shape, error, ctx }) => {
      const refusal = refusalOf(error);
      return {
        ...shape,
        message: refusal ? (ctx?.inWords ?? inEnglish)(refusal) : error.message,
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          reason: refusal?.code ?? null,
          /** What the words name, e.g. a field. */
          values: refusal?.values ?? {},
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

/** The first step of every gate: a valid session. */
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
 * Why a call comes from an outdated page, or null. Either the page shows a merchant other than the
 * session's, which another tab or the end of an impersonation has changed; or the call changes
 * something without naming its page's merchant. It is not a security boundary, since the caller
 * supplies the name: it keeps a click from acting on another merchant than the one shown.
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
 * The dashboard's only gate: a valid session, a merchant, and a role with the permission that the
 * procedure names. It runs before the input is validated, so that a validation error cannot reveal
 * that something exists. If the merchant requires a second factor, a person without one is refused
 * everything.
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

/** The gate for what concerns the person alone: a valid session; it opens no merchant's data. */
export const personProcedure = signedIn.meta({ permission: 'account.self', isPersonal: true });

/**
 * Admits only the gateway's own staff, whatever their role at a merchant; with a second factor
 * where the gateway requires one.
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
