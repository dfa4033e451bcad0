import { z } from 'zod';
import { requiredId } from './fields.ts';
import { readJsonBody } from './json-body.ts';
import { toValidationItems, type Validated, type ValidationItem } from './validation.ts';

/** The body of a cancel, and of the sandbox's expiry and resend. */
export const invoiceIdRequest = z
  .object({ invoice_id: requiredId.meta({ description: "The gateway's id of the invoice" }) })
  .meta({ id: 'InvoiceIdRequest' });

/** The body of a sandbox test payment; `outcomes` are those of the test cards. */
export function testPayRequest<T extends string>(outcomes: readonly T[]) {
  return z
    .object({
      invoice_id: requiredId.meta({ description: "The gateway's id of the invoice" }),
      outcome: z
        .enum(outcomes)
        .nullish()
        .meta({ description: "A test card's outcome; `approved` if left out" }),
    })
    .meta({ id: 'TestPayRequest' });
}

/** An id with impossible characters names nothing: 404, as for every unknown id. */
const isOfTheId = ({ loc, type }: ValidationItem): boolean =>
  type === 'value_error' && loc.length === 2 && loc[1] === 'invoice_id';

/**
 * Reads a JSON body by an object schema; `T` is the schema's result.
 *
 * @param options.exact the top-level fields whose numbers must not lose digits
 */
export function parseBody<T>(
  schema: z.ZodType<T>,
  bytes: Uint8Array,
  contentType: string | null,
  { exact = [] }: { exact?: readonly string[] } = {},
): Validated<T> {
  const json = readJsonBody(bytes, contentType);
  if (!json.ok) return json;
  const { value } = json.value;
  const inexact = json.value.createFaults.filter(
    ({ loc }) => loc.length === 2 && exact.includes(String(loc[1])),
  );
  const faults = [...json.value.textFaults.filter((fault) => !isOfTheId(fault)), ...inexact];
  const parsed = schema.safeParse(value);
  if (parsed.success && faults.length === 0) return { ok: true, value: parsed.data };
  const issues = parsed.success ? [] : parsed.error.issues;
  return { ok: false, detail: [...toValidationItems(issues, value), ...faults] };
}
