import type { Pool } from 'pg';
import { isClockRight } from '../db/clock-offset.ts';
import type { Actor } from '../invoices/types.ts';
import { GatewayError } from '../lib/errors.ts';
import { openAccount } from '../merchants/acquirer-accounts.ts';
import { receiptUrl, returnUrl } from './addresses.ts';
import type { PaymentContext } from './advance.ts';
import type { CardProvider, InboundProvider, RedirectProvider } from './provider.ts';
import { openAccountProvider, openProvider } from './providers/registry.ts';
import type { PaymentAttempt } from './types.ts';

/**
 * Every start or continuation of a payment calls this before it writes anything.
 *
 * @throws GatewayError `unavailable` where this process's clock is wrong
 */
export async function demandRightClock(db: Pool): Promise<void> {
  if (await isClockRight(db)) return;
  throw new GatewayError('payment_not_begun');
}

/** The needs of the steps of a payment by our own card form. Throws for an unknown provider. */
export function paymentContext(
  db: Pool,
  options: { provider: string; clock: () => Date; actor: Actor },
): PaymentContext & { provider: CardProvider } {
  const provider = openProvider(options.provider, db);
  return { ...contextOf(db, provider, options), provider };
}

/** The needs of the steps of a payment, by the provider that carries it. */
export function contextOf(
  db: Pool,
  provider: CardProvider | RedirectProvider,
  { clock, actor }: { clock: () => Date; actor: Actor },
): PaymentContext {
  const pageLifeMs = provider.kind === 'redirect' ? { pageLifeMs: provider.pageLifeMs } : {};
  return { db, provider, clock, receiptUrl, returnUrl, actor, ...pageLifeMs };
}

/** The provider of an attempt, with its merchant's account where it has one. */
export async function providerOf(
  db: Pool,
  { id, provider, accountId }: Pick<PaymentAttempt, 'id' | 'provider' | 'accountId'>,
  clock: () => Date,
): Promise<CardProvider | RedirectProvider | InboundProvider> {
  if (accountId === null) return openProvider(provider, db);
  const account = await openAccount(db, accountId);
  if (!account) throw new Error(`the account of ${id} is gone`);
  return openAccountProvider(db, account, clock);
}
