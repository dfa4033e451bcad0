import type { Pool } from 'pg';
import { isClockRight } from '../db/clock-offset.ts';
import type { Actor } from '../invoices/types.ts';
import { GatewayError } from '../lib/errors.ts';
import { settings } from '../settings/settings.ts';
import type { PaymentContext } from './advance.ts';
import { openProvider } from './providers/registry.ts';

/** The page of an invoice; the id in it is what makes it unguessable. */
export function invoiceUrl(invoiceId: string): string {
  return `${settings().publicUrl}/pay/${invoiceId}`;
}

/** Where an acquirer sends the buyer back to after a challenge. */
function returnUrl(invoiceId: string, attemptId: string): string {
  return `${invoiceUrl(invoiceId)}/return?attempt=${attemptId}`;
}

/** The receipt of a paid invoice. */
export function receiptUrl(invoiceId: string): string {
  return `${invoiceUrl(invoiceId)}/receipt`;
}

/**
 * Whoever takes a payment, or goes on with one, asks this before anything is written.
 *
 * @throws GatewayError `unavailable` where this process's clock is wrong
 */
export async function demandRightClock(db: Pool): Promise<void> {
  if (await isClockRight(db)) return;
  throw new GatewayError('payment_not_begun');
}

/** What the steps of a payment need. Throws for a provider that is not there. */
export function paymentContext(
  db: Pool,
  options: { provider: string; clock: () => Date; actor: Actor },
): PaymentContext {
  const { clock, actor } = options;
  const provider = openProvider(options.provider, db);
  return { db, provider, clock, receiptUrl, returnUrl, actor };
}
