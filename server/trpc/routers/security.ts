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

// Only compared, never stored: a person with an unusual password must be able to change it.
const proof = z.string().min(1).max(1024);

function tell({ session, actor, now }: Own, what: SignInChange): void {
  tellOfChange({ email: session.user.email, address: actor.address ?? null, now }, what);
}

/** How a person signs in: their own second factor and password. */
export const securityRouter = router({
  /** The state of the second factor. */
  secondFactor: personProcedure.query(({ ctx: { db, session } }) => readSecondFactor(db, session)),

  /** Makes a secret that waits for its first code; only this answer shows it. */
  beginSecondFactor: personProcedure
    .input(z.object({ proof: proof.nullable() }))
    .mutation(async ({ ctx, input }) => {
      const { secret, address } = await beginSecondFactor(ctx.db, ctx, input.proof);
      return { secret, address, qr: qrCode(address) };
    }),

  /** Turns it on with a first code; only this answer has the recovery codes. */
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

  /** Changes one's own password; all of one's other sessions end. */
  changePassword: personProcedure
    .input(z.object({ proof, password: text(1024).min(1) }))
    .mutation(async ({ ctx, input }) => {
      const account = await changeOwnPassword(ctx.db, ctx, input);
      tell(ctx, 'password');
      // The browser's previous mark ended with the old password.
      await ctx.browser?.keep(markBrowser(account, ctx.browser.marks));
    }),

  /** Ten new recovery codes; only this answer has them. */
  renewRecoveryCodes: personProcedure
    .input(z.object({ proof }))
    .mutation(async ({ ctx, input }) => {
      const made = await renewRecoveryCodes(ctx.db, ctx, input.proof);
      tell(ctx, 'recoveryCodes');
      return made;
    }),
});
