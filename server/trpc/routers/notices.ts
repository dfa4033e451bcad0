import { z } from 'zod';
import { LOCALES } from '../../lib/locales.ts';
import { CURRENCIES } from '../../lib/money.ts';
import { qrCode } from '../../lib/qr-code.ts';
import { kindsOf, readRecipients, saveChoices } from '../../notices/choices.ts';
import { sendTestNotice } from '../../notices/send-test.ts';
import {
  beginTelegramLink,
  disconnectTelegram,
  readTelegramState,
} from '../../notices/telegram/links.ts';
import { CHANNELS, NOTICE_KINDS, PAYMENT_SCOPES } from '../../notices/types.ts';
import { settings } from '../../settings/settings.ts';
import { personProcedure, router, staffProcedure } from '../init.ts';

const choice = z.object({
  kind: z.enum(NOTICE_KINDS),
  channels: z.array(z.enum(CHANNELS)).max(CHANNELS.length),
  payments: z
    .object({
      scope: z.enum(PAYMENT_SCOPES),
      aboveMinor: z.int().min(0).nullable(),
      currency: z.enum(CURRENCIES).nullable(),
    })
    .nullable(),
});

/** What a person hears of the merchant that they work for. */
export const noticesRouter = router({
  read: staffProcedure('account.self').query(async ({ ctx: { db, tenant, session, merchant } }) => {
    const [recipient] = await readRecipients(db, tenant, session.user.id);
    return {
      merchantName: merchant.name,
      /** Empty for an operator who acts for the merchant. */
      choices: recipient?.choices ?? [],
      telegram: await readTelegramState(db, session.user.id),
      hasBot: settings().telegram !== null,
    };
  }),

  /** Keeps choices, in the language of the page. */
  save: staffProcedure('notices.choose')
    .input(
      z.object({
        choices: z.array(choice).min(1).max(NOTICE_KINDS.length),
        locale: z.enum(LOCALES),
      }),
    )
    .mutation(async ({ ctx: { db, tenant, session, merchant, now }, input }) => {
      const allowed = kindsOf(merchant);
      await saveChoices(db, tenant, {
        userId: session.user.id,
        choices: input.choices
          .filter(({ kind }) => allowed.includes(kind))
          .map(({ payments, ...each }) => ({
            ...each,
            payments: payments && {
              ...payments,
              aboveMinor: payments.aboveMinor === null ? null : BigInt(payments.aboveMinor),
            },
          })),
        locale: input.locale,
        now,
      });
    }),

  connectTelegram: personProcedure.mutation(async ({ ctx: { db, session, now } }) => {
    const url = await beginTelegramLink(db, settings().telegram, {
      userId: session.user.id,
      now,
    });
    return { url, qr: qrCode(url) };
  }),

  disconnectTelegram: personProcedure.mutation(({ ctx: { db, session } }) =>
    disconnectTelegram(db, session.user.id),
  ),

  sendTest: staffProcedure('notices.choose').mutation(({ ctx: { db, tenant, session, now } }) =>
    sendTestNotice(db, tenant, { userId: session.user.id, now }),
  ),
});
