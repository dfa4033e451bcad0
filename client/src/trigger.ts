import { type GatewayClient, STATUS } from './client.ts';
import type { InvoiceCreateRequest } from './contract.ts';

/** The endings that an invoice can be driven to. */
export const ENDINGS = ['paid', 'expired', 'canceled'] as const;
type Ending = (typeof ENDINGS)[number];

export type TriggerOptions = {
  /** In minor units. */
  amount: number;
  currency: InvoiceCreateRequest['currency'];
  callbackUrl: string;
};

export type Triggered = {
  invoice_id: string;
  merchant_transaction_id: string;
  invoice_url: string;
  status: number;
};

const HOUR_MS = 3_600_000;
const RETURN_URL = 'https://example.com/';

/** Makes an invoice in the sandbox and drives it to its end, callback included. */
export async function trigger(
  client: GatewayClient,
  ending: Ending,
  { amount, currency, callbackUrl }: TriggerOptions,
): Promise<Triggered> {
  const created = await client.createInvoice({
    amount,
    currency,
    description: `Triggered: ${ending}`,
    end_date: Date.now() + HOUR_MS,
    positions: [{ title: 'Test', amount, currency }],
    merchant_transaction_id: `trigger-${crypto.randomUUID()}`,
    success_url: RETURN_URL,
    error_url: RETURN_URL,
    callback_url: callbackUrl,
  });
  const { invoice_id, merchant_transaction_id, invoice_url } = created;
  const drive = {
    paid: () => client.sandbox.pay(invoice_id),
    expired: () => client.sandbox.expire(invoice_id),
    canceled: () => client.cancelInvoice(invoice_id),
  };
  const { status } = await drive[ending]();
  return { invoice_id, merchant_transaction_id, invoice_url, status };
}

/** `PAID` of 2. */
export function statusName(status: number): string {
  const found = Object.entries(STATUS).find(([, code]) => code === status);
  return found?.[0] ?? String(status);
}
