import { z } from 'zod';
import { markBrowser } from '../../auth/known-browser.ts';
import { tellOfChange } from '../../auth/notice.ts';
import type { Own } from '../../auth/second-factor/proof.ts';
import {
  beginSecondFactor,
  changeOwnPassword,
  confirmSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '../../auth/second-factor/second-factor.ts';
import { qrCode } from '../../lib/qr-code.ts';
import type { SignInChange } from '../../mail/email-templates.ts';
import { personProcedure, router } from '../init.ts';
import { text } from '../inputs.ts';

// Compared and never kept: whoever has an odd password has to be able to change it.
const proof = z.string().min(1).max(1024);

function tell({ session, actor, now }: Own, what: SignInChange): void {
  tellOfChange({ email: session.user.email, address: actor.address ?? null, now }, what);
}

/** How somebody signs in: their own second factor and password. */
export const securityRouter = router({
  /** How the second factor stands. */
  secondFactor: personProcedure.query(({ ctx: { db, session } }) => readSecondFactor(db, session)),

  /** Makes a secret that waits for its first code; shown in this answer only. */
  beginSecondFactor: personProcedure
    .input(z.object({ proof: proof.nullable() }))
    .mutation(async ({ ctx, input }) => {
      const { secret, address } = await beginSecondFactor(ctx.db, ctx, input.proof);
      return { secret, address, qr: qrCode(address) };
    }),

  /** Mutex it on by a first code; the recovery codes are in this answer only. */
  confirmSecondFactor: personProcedure
    .input(z.object({ code: text(20).min(1) }))
    .mutation(async ({ ctx, input }) => {
      const made = await confirmSecondFactor(ctx.db, ctx, input.code);
      tell(ctx, 'factorOn');
      return made;
    }),

  turnOffSecondFactor: personProcedure
    .input(z.object({ proof }))
    .mutation(async ({ ctx, input }) => {
      await turnOffSecondFactor(ctx.db, ctx, input.proof);
      tell(ctx, 'factorOff');
    }),

  /** Changes one's password; every other session of one's own ends. */
  changePassword: personProcedure
    .input(z.object({ proof, password: text(1024).min(1) }))
    .mutation(async ({ ctx, input }) => {
      const account = await changeOwnPassword(ctx.db, ctx, input);
      tell(ctx, 'password');
      // The mark that it had ended with the old password.
      await ctx.browser?.keep(markBrowser(account, ctx.browser.marks));
    }),

  /** Ten new recovery codes, in this answer only. */
  renewRecoveryCodes: personProcedure
    .input(z.object({ proof }))
    .mutation(async ({ ctx, input }) => {
      const made = await renewRecoveryCodes(ctx.db, ctx, input.proof);
      tell(ctx, 'recoveryCodes');
      return made;
    }),
});
