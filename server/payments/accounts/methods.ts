import type { Queryable } from '../../db/pool.ts';
import type { Invoice } from '../../invoices/types.ts';
import { listAccounts, openAccount } from '../../merchants/acquirer-accounts.ts';
import type { ProviderTraits } from '../provider.ts';
import { accountProviderOf, demandsEmail, providerNameOf } from '../providers/registry.ts';

/** A merchant's account at an acquirer; the buyer goes to the acquirer's page or app. */
export type AccountMethod = {
  id: string;
  kind: 'account';
  provider: string;
  name: string;
  /** Whether the acquirer has not answered lately: the buyer is warned, and may still choose it. */
  isDown: boolean;
  /** Whether the buyer is asked for an e-mail address, to which the receipt goes. */
  asksEmail: boolean;
};

/** The buyer's choice on the payment page. */
export type PaymentMethod =
  /** Our own card form, which only the sandbox has. */
  { id: string; kind: 'card' } | AccountMethod;

type Payable = Pick<Invoice, 'amountMinor' | 'currency'>;

/** Whether an acquirer takes an invoice's currency and amount. */
export function takes(
  { currencies, leastMinor, mostMinor }: ProviderTraits,
  { amountMinor, currency }: Payable,
): boolean {
  const isTooMuch = mostMinor !== undefined && amountMinor > mostMinor;
  return currencies.includes(currency) && amountMinor >= leastMinor && !isTooMuch;
}

/**
 * The ways to pay an invoice, in the merchant's order. Accounts that are down come after the others;
 * the card form of the sandbox comes last.
 */
export async function methodsOf(
  db: Queryable,
  invoice: Payable & Pick<Invoice, 'merchantId' | 'environment'>,
): Promise<PaymentMethod[]> {
  const accounts = await listAccounts(db, invoice);
  const methods: AccountMethod[] = [];
  for (const { id, provider, name, isEnabled, downSinceMs } of accounts) {
    const traits = accountProviderOf(provider)?.traits;
    if (!isEnabled || !traits || !takes(traits, invoice)) continue;
    const isDown = downSinceMs !== null;
    const asked = await asksEmail(db, id, provider);
    methods.push({ id, kind: 'account', provider, name, isDown, asksEmail: asked });
  }
  const offered = [
    ...methods.filter(({ isDown }) => !isDown),
    ...methods.filter(({ isDown }) => isDown),
  ];
  const card = providerNameOf(invoice.environment);
  return card === null ? offered : [...offered, { id: card, kind: 'card' }];
}

/** Only the accounts of some acquirers can demand one: no other is opened for it. */
async function asksEmail(db: Queryable, id: string, provider: string): Promise<boolean> {
  if (!accountProviderOf(provider)?.demandsEmail) return false;
  const account = await openAccount(db, id);
  return account !== null && demandsEmail(account);
}
