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
 * Whoever takes a payment, or goes on with one, asks this before anything is written.
 *
 * @throws GatewayError `unavailable` where this process's clock is wrong
 */
export async function demandRightClock(db: Pool): Promise<void> {
  if (await isClockRight(db)) return;
  throw new GatewayError('payment_not_begun');
}

/** What the steps of a payment by a card of our own form need. Throws for a provider that is not there. */
export function paymentContext(
  db: Pool,
  options: { provider: string; clock: () => Date; actor: Actor },
): PaymentContext & { provider: CardProvider } {
  const provider = openProvider(options.provider, db);
  return { ...contextOf(db, provider, options), provider };
}

/** What the steps of a payment need, by the provider that carries it. */
export function contextOf(
  db: Pool,
  provider: CardProvider | RedirectProvider,
  { clock, actor }: { clock: () => Date; actor: Actor },
): PaymentContext {
  const pageLifeMs = provider.kind === 'redirect' ? { pageLifeMs: provider.pageLifeMs } : {};
  return { db, provider, clock, receiptUrl, returnUrl, actor, ...pageLifeMs };
}

/** The provider that an attempt was begun by, with its merchant's account where it has one. */
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
