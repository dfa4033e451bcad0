import { z } from 'zod';
import { createByStaff, lastCurrency } from '../../invoices/create-by-staff.ts';
import { CURRENCIES } from '../../lib/money.ts';
import { readSettings } from '../../merchants/settings.ts';
import { parseCreateRequest, paymentLinkRequest } from '../../wire/create-request.ts';
import { BODY_LIMIT_BYTES } from '../../wire/json-body.ts';
import type { FaultType } from '../../wire/validation.ts';
import { router, staffProcedure } from '../init.ts';

/** The longest time to pay that a form can request: a year. */
const MAX_HOURS = 8_784;

/** Null for a link without it: the gateway's own page is the last one, and no server is told. */
const address = z.string().max(4_096).nullable();

// Checks only the outline: the API's rules check the invoice itself.
const form = z.object({
  formKey: z.uuid(),
  amountMinor: z.int(),
  currency: z.enum(CURRENCIES),
  description: z.string().max(4_096),
  positions: z
    .array(z.object({ title: z.string().max(2_048), amountMinor: z.int() }))
    .min(1)
    .max(500),
  reference: z.string().max(1_024),
  successUrl: address,
  errorUrl: address,
  callbackUrl: address,
  hours: z.int().min(1).max(MAX_HOURS),
});

/** The API request for this form, counted from our time: a browser's clock can be wrong. */
function requestBody(input: z.infer<typeof form>, nowMs: number): Buffer {
  const { currency } = input;
  return Buffer.from(
    JSON.stringify({
      amount: input.amountMinor,
      currency,
      description: input.description,
      end_date: nowMs + input.hours * 3_600_000,
      positions: input.positions.map(({ title, amountMinor }) => ({
        title,
        amount: amountMinor,
        currency,
      })),
      merchant_transaction_id: input.reference,
      success_url: input.successUrl ?? undefined,
      error_url: input.errorUrl ?? undefined,
      callback_url: input.callbackUrl ?? undefined,
    }),
  );
}

/** `type` is the API's name of the fault; `most` the longest valid text. */
export type FormFault = { field: string; type: FaultType; most: number | null };

export const paymentLinksRouter = router({
  /** What a new form begins with. */
  begin: staffProcedure('invoice.create').query(async ({ ctx: { db, tenant, actor } }) => {
    const { name, logoUrl, brandColor } = await readSettings(db, tenant);
    return {
      currency: await lastCurrency(db, tenant, actor.id),
      brand: { name, logoUrl, color: brandColor },
    };
  }),

  /** Creates an invoice by hand; faults use the API's field names. */
  create: staffProcedure('invoice.create')
    .input(form)
    .mutation(
      async ({
        ctx: { db, tenant, actor, now },
        input,
      }): Promise<
        | { outcome: 'created'; invoiceId: string }
        | { outcome: 'duplicate' }
        | { outcome: 'invalid'; faults: FormFault[] }
      > => {
        const nowMs = now.getTime();
        const body = requestBody(input, nowMs);
        // The API's limit: merchants' servers need not accept larger callbacks for these.
        if (body.length > BODY_LIMIT_BYTES) {
          const fault = { field: 'positions', type: 'too_long', most: null } as const;
          return { outcome: 'invalid', faults: [fault] };
        }
        const parsed = parseCreateRequest(body, 'application/json', nowMs, paymentLinkRequest);
        if (!parsed.ok) {
          const faults = parsed.detail.map(({ loc, msg, type }) => ({
            field: loc.slice(1).join('.'),
            type,
            most: type === 'string_too_long' ? Number(/\d+/.exec(msg)?.[0]) : null,
          }));
          return { outcome: 'invalid', faults };
        }
        const { value: invoice } = parsed;
        const command = { invoice, sent: input, formKey: input.formKey };
        return await createByStaff(db, tenant, command, { actor, now });
      },
    ),
});
