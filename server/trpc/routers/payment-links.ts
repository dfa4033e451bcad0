import { z } from 'zod';
import { createByStaff, lastAddresses } from '../../invoices/create-by-staff.ts';
import { CURRENCIES } from '../../lib/money.ts';
import { parseCreateRequest } from '../../wire/create-request.ts';
import { BODY_LIMIT_BYTES } from '../../wire/json-body.ts';
import type { FaultType } from '../../wire/validation.ts';
import { router, staffProcedure } from '../init.ts';

/** The longest time to pay that a form can ask for: a year. */
const MAX_HOURS = 8_784;

// Only the frame: what an invoice may hold is judged by the same rules as the API's.
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
  successUrl: z.string().max(4_096),
  errorUrl: z.string().max(4_096),
  callbackUrl: z.string().max(4_096),
  hours: z.int().min(1).max(MAX_HOURS),
});

/** What the API would be sent for this form. The hours count from now: a browser's clock can be wrong. */
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
      success_url: input.successUrl,
      error_url: input.errorUrl,
      callback_url: input.callbackUrl,
    }),
  );
}

/** `type` is the API's name of the fault; `most` the longest text that would do. */
export type FormFault = { field: string; type: FaultType; most: number | null };

export const paymentLinksRouter = router({
  /** What a new form begins with. */
  begin: staffProcedure('invoice.create').query(async ({ ctx: { db, tenant } }) => ({
    addresses: await lastAddresses(db, tenant),
  })),

  /** Creates an invoice by hand; faults are told by the API's names of the fields. */
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
        // As the API has it: merchants' servers need take no larger callbacks for what is made here.
        if (body.length > BODY_LIMIT_BYTES) {
          const fault = { field: 'positions', type: 'too_long', most: null } as const;
          return { outcome: 'invalid', faults: [fault] };
        }
        const parsed = parseCreateRequest(body, 'application/json', nowMs);
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
