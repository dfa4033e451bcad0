import type { Queryable } from '../../db/pool.ts';
import type { Invoice } from '../../invoices/types.ts';
import { listAccounts } from '../../merchants/acquirer-accounts.ts';
import { accountProviderOf, providerNameOf } from '../providers/registry.ts';

/** The buyer's choice on the payment page. */
export type PaymentMethod =
  /** Our own card form, which only the sandbox has. */
  | { id: string; kind: 'card' }
  /** A merchant's account at an acquirer; the buyer goes to the acquirer's page or app. */
  | { id: string; kind: 'account'; provider: string; name: string };

/** The ways to pay an invoice, in the merchant's order; the card form of the sandbox comes last. */
export async function methodsOf(
  db: Queryable,
  invoice: Pick<Invoice, 'merchantId' | 'environment' | 'amountMinor' | 'currency'>,
): Promise<PaymentMethod[]> {
  const accounts = await listAccounts(db, invoice);
  const methods: PaymentMethod[] = accounts.flatMap(({ id, provider, name, isEnabled }) => {
    const traits = accountProviderOf(provider)?.traits;
    const fits =
      isEnabled &&
      traits?.currencies.includes(invoice.currency) &&
      invoice.amountMinor >= traits.leastMinor;
    return fits ? [{ id, kind: 'account' as const, provider, name }] : [];
  });
  const card = providerNameOf(invoice.environment);
  return card === null ? methods : [...methods, { id: card, kind: 'card' }];
}
