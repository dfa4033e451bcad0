import type { Pool } from 'pg';
import type { Actor } from '../../invoices/types.ts';
import type { Environment } from '../../merchants/types.ts';
import { settings } from '../../settings/settings.ts';
import type { PaymentContext } from '../advance.ts';
import { SandboxAcquirer } from './sandbox/sandbox.ts';
import { tracedProvider } from './traced-provider.ts';

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
 * The name of the acquirer that an environment pays through, or null. Production
 * has none until one is written behind the port: test cards must never pay there.
 */
export function providerNameOf(environment: Environment): string | null {
  return environment === 'sandbox' ? 'sandbox' : null;
}

/** What the steps of a payment need. Throws for a provider that is not there. */
export function paymentContext(
  db: Pool,
  options: { provider: string; clock: () => Date; actor: Actor },
): PaymentContext {
  if (options.provider !== 'sandbox') throw new Error(`no acquirer named ${options.provider}`);
  const { clock, actor } = options;
  const provider = tracedProvider(new SandboxAcquirer(db));
  return { db, provider, clock, receiptUrl, returnUrl, actor };
}
