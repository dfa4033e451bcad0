import { z } from 'zod';
import { invite, inviteAgain } from '../../auth/invite.ts';
import { LOCALES } from '../../lib/locales.ts';
import { ROLES } from '../../merchants/types.ts';
import { listInvitations, withdrawInvitation } from '../../staff/invitations.ts';
import { isAllowed } from '../../staff/roles.ts';
import {
  changeRole,
  demandSecondFactor,
  listMembers,
  readSecondFactorDemand,
  removeMember,
} from '../../staff/team.ts';
import { router, staffProcedure } from '../init.ts';
import { id, text } from '../inputs.ts';

const role = z.enum(ROLES);

/** A merchant's staff. */
export const teamRouter = router({
  /**
   * The members, owners first. Only the person and those who manage the team see a missing second
   * factor or a disabled account (null for others): a missing factor would show anybody else whom
   * to attack.
   */
  members: staffProcedure('team.read').query(async ({ ctx }) => {
    const seesAll = isAllowed(ctx.merchant, 'team.manage');
    const members = await listMembers(ctx.db, ctx.tenant);
    return members.map((member) => {
      const isTold = seesAll || member.userId === ctx.session.user.id;
      const { hasSecondFactor, isDisabled } = member;
      return {
        ...member,
        hasSecondFactor: isTold ? hasSecondFactor : null,
        isDisabled: isTold ? isDisabled : null,
      };
    });
  }),

  /** Whether a second factor is required of everybody. */
  demand: staffProcedure('team.read').query(async ({ ctx }) => ({
    isDemanded: await readSecondFactorDemand(ctx.db, ctx.tenant),
  })),

  /** The open invitations, the newest first. */
  invitations: staffProcedure('team.manage').query(({ ctx }) =>
    listInvitations(ctx.db, ctx.tenant, ctx.now),
  ),

  /** Invites somebody to the staff by e-mail. */
  invite: staffProcedure('team.invite')
    .input(z.object({ email: text(254), role, locale: z.enum(LOCALES) }))
    .mutation(({ ctx, input }) =>
      invite(ctx.db, { ...ctx, merchantName: ctx.merchant.name }, input),
    ),

  /** Sends a new e-mail with a new link; the previous link ends once it is sent. */
  resendInvitation: staffProcedure('team.invite')
    .input(z.object({ invitationId: id }))
    .mutation(({ ctx, input }) =>
      inviteAgain(ctx.db, { ...ctx, merchantName: ctx.merchant.name }, input.invitationId),
    ),

  withdrawInvitation: staffProcedure('team.manage')
    .input(z.object({ invitationId: id }))
    .mutation(({ ctx, input: { invitationId } }) =>
      withdrawInvitation(ctx.db, ctx.tenant, { invitationId, actor: ctx.actor, now: ctx.now }),
    ),

  changeRole: staffProcedure('team.manage')
    .input(z.object({ userId: id, role }))
    .mutation(({ ctx, input }) =>
      changeRole(ctx.db, ctx.tenant, { ...input, actor: ctx.actor, now: ctx.now }),
    ),

  /** Takes somebody off the staff; their sessions at this merchant end. */
  removeMember: staffProcedure('team.manage')
    .input(z.object({ userId: id }))
    .mutation(({ ctx, input: { userId } }) =>
      removeMember(ctx.db, ctx.tenant, { userId, actor: ctx.actor, now: ctx.now }),
    ),

  /** Leaves the staff, whatever one's role. */
  leave: staffProcedure('account.self').mutation(({ ctx }) =>
    removeMember(ctx.db, ctx.tenant, { userId: ctx.actor.id, actor: ctx.actor, now: ctx.now }),
  ),

  /** Requires a second factor of all staff, or no longer. */
  demandSecondFactor: staffProcedure('team.secure')
    .input(z.object({ isDemanded: z.boolean() }))
    .mutation(({ ctx, input: { isDemanded } }) =>
      demandSecondFactor(ctx.db, ctx.tenant, { isDemanded, actor: ctx.actor, now: ctx.now }),
    ),
});
