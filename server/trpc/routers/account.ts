import { z } from 'zod';
import { endAllOtherSessions, endOneSession } from '../../auth/end-sessions.ts';
import { listOwnMerchants, listSessions, switchMerchant } from '../../auth/sessions.ts';
import type { Queryable } from '../../db/pool.ts';
import { GatewayError } from '../../lib/errors.ts';
import { listAccounts } from '../../merchants/acquirer-accounts.ts';
import type { Tenant } from '../../merchants/types.ts';
import { providerNameOf } from '../../payments/providers/registry.ts';
import { permissionsOf } from '../../staff/roles.ts';
import { personProcedure, router, staffProcedure } from '../init.ts';
import { id } from '../inputs.ts';

/** Whether buyers are offered an account at an acquirer. */
async function hasAccount({ db, tenant }: { db: Queryable; tenant: Tenant }): Promise<boolean> {
  return (await listAccounts(db, tenant)).some(({ isEnabled }) => isEnabled);
}

/** One's own account. */
export const accountRouter = router({
  /** The signed-in person and their merchant. */
  current: staffProcedure('account.self').query(async ({ ctx }) => ({
    user: ctx.session.user,
    merchant: ctx.merchant,
    permissions: permissionsOf(ctx.merchant),
    // Without an acquirer, invoices can be made but not paid.
    takesPayments: providerNameOf(ctx.tenant.environment) !== null || (await hasAccount(ctx)),
    merchants: await listOwnMerchants(ctx.db, ctx.session),
  })),

  /** The signed-in person, before any merchant opens. */
  person: personProcedure.query(async ({ ctx: { db, session } }) => ({
    email: session.user.email,
    merchants: await listOwnMerchants(db, session),
  })),

  sessions: personProcedure.query(({ ctx }) => listSessions(ctx.db, ctx.session, ctx.now)),

  endSession: personProcedure
    .input(z.object({ sessionId: id }))
    .mutation(async ({ ctx, input }) => {
      if (!(await endOneSession(ctx.db, ctx, input.sessionId))) {
        throw new GatewayError('session_not_found');
      }
    }),

  endOtherSessions: personProcedure.mutation(async ({ ctx }) => ({
    ended: await endAllOtherSessions(ctx.db, ctx),
  })),

  switchMerchant: personProcedure
    .input(z.object({ merchantId: id }))
    .mutation(async ({ ctx, input }) => {
      if (!(await switchMerchant(ctx.db, ctx.session, input.merchantId))) {
        throw new GatewayError('not_on_staff');
      }
    }),
});
