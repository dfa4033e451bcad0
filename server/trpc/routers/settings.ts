import { z } from 'zod';
import { LOCALES } from '../../lib/locales.ts';
import { readSettings, saveLogo, saveSettings } from '../../merchants/settings.ts';
import { router, staffProcedure } from '../init.ts';
import { text } from '../inputs.ts';

// Longer than any that is accepted.
const detail = text(2_000).nullable();

// 40 KiB in base64.
const MAX_BASE64 = 56_000;

export const settingsRouter = router({
  /** How the merchant presents itself; the same in both environments. */
  read: staffProcedure('business.read').query(({ ctx: { db, tenant } }) =>
    readSettings(db, tenant),
  ),

  /** Saves changes made after seeing `version`. */
  save: staffProcedure('settings.manage')
    .input(
      z.object({
        version: z.int32().min(0),
        name: text(1_000),
        brandColor: text(20).nullable(),
        defaultLocale: z.enum(LOCALES),
        timeZone: text(100),
        legalName: detail,
        taxNumber: detail,
        legalAddress: detail,
        supportEmail: detail,
        supportPhone: detail,
        supportTelegram: detail,
        termsUrl: detail,
        refundPolicyUrl: detail,
      }),
    )
    .mutation(({ ctx: { db, tenant, actor, now }, input }) =>
      saveSettings(db, tenant, { ...input, actor, now }),
    ),

  /** Sets a picture as the logo; null removes the logo. */
  saveLogo: staffProcedure('settings.manage')
    .input(z.object({ base64: z.base64().max(MAX_BASE64).nullable() }))
    .mutation(({ ctx: { db, tenant, actor, now }, input: { base64 } }) =>
      saveLogo(db, tenant, {
        bytes: base64 === null ? null : Buffer.from(base64, 'base64'),
        actor,
        now,
      }),
    ),
});
