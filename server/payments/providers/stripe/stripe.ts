import type Stripe from 'stripe';
import type { Currency } from '../../../lib/money.ts';
import type { AccountFault } from '../../../merchants/account-faults.ts';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import { log } from '../../../observability/log.ts';
import type {
  AttemptKey,
  Authorisation,
  Captured,
  CaptureRequest,
  HookActions,
  HookAnswer,
  HookRequest,
  RedirectProvider,
  Settlement,
} from '../../provider.ts';
import type { StartRequest } from '../../start-request.ts';
import type { CardBrand } from '../../types.ts';
import { NotSentError } from '../acquirer-client.ts';
import {
  type Intent,
  isFaultThere,
  isKept,
  isRefusal,
  PAGE_LIFE_MS,
  type Session,
  StripeApi,
  statusOf,
} from './api.ts';
import { feeOf, readBooks } from './books.ts';
import { StripeRefunds } from './refunds.ts';
import { answerWebhook } from './webhook.ts';

/** A page must live for 30 minutes from its creation, and clocks differ (Stripe, "expires_at"). */
const LEAST_PAGE_LIFE_MS = 31 * 60_000;

type Options = { account: OpenAccount; apiUrl: string; clock: () => Date };

/**
 * Stripe: the buyer pays at a Checkout page, which holds the money; we take it once we have the
 * claim. An attempt's reference is the page's session, and its payment intent decides.
 */
export class StripeAcquirer implements RedirectProvider {
  readonly kind = 'redirect';
  readonly name = 'stripe';
  readonly pageLifeMs = PAGE_LIFE_MS;
  readonly refunds: StripeRefunds;
  readonly readBooks: RedirectProvider['readBooks'];
  private readonly account: OpenAccount;
  private readonly api: StripeApi;
  private readonly clock: () => Date;

  constructor({ account, apiUrl, clock }: Options) {
    this.account = account;
    this.api = new StripeApi(account, apiUrl);
    this.clock = clock;
    this.refunds = new StripeRefunds(this.api);
    this.readBooks = readBooks(this.api, account.id);
  }

  async start(request: StartRequest): Promise<Authorisation> {
    try {
      return challengeOf(await this.api.createSession(request));
    } catch (error) {
      throw isRefusal(error) ? new NotSentError(error.message, { cause: error }) : error;
    }
  }

  async lookup(attempt: AttemptKey, now: Date): Promise<Authorisation | { state: 'unknown' }> {
    if (attempt.authorisationId === null) return this.startAgain(attempt, now);
    return authorisationOf(await this.api.readSession(attempt.authorisationId));
  }

  /**
   * Repeats a create whose answer was lost: under its key Stripe gives the same page. No buyer has
   * seen the page of a lost answer, so an attempt without one ends.
   */
  private async startAgain(
    { startRequest, createdAtMs }: AttemptKey,
    now: Date,
  ): Promise<Authorisation | { state: 'unknown' }> {
    const lifeLeftMs = createdAtMs + PAGE_LIFE_MS - now.getTime();
    if (startRequest === null || lifeLeftMs < LEAST_PAGE_LIFE_MS) return { state: 'unknown' };
    try {
      return challengeOf(await this.api.createSession(startRequest));
    } catch (error) {
      if (isRefusal(error) || isFaultThere(error)) return { state: 'unknown' };
      throw error;
    }
  }

  async capture({ authorisationId, amountMinor, currency }: CaptureRequest): Promise<Captured> {
    const session = await this.api.readSession(authorisationId);
    const intent = intentOf(session);
    if (intent?.status !== 'requires_capture') return this.captured(intent);
    if (!holds(intent, { amountMinor, currency })) return { state: 'refused' };
    try {
      return await this.captured(await this.api.capture(intent.id, attemptOf(session)));
    } catch (error) {
      if (!isKept(error)) throw error;
      // A repeat can bring nothing else: the money goes back, and the buyer may begin anew.
      const after = intentOf(await this.api.readSession(authorisationId));
      return after?.status === 'requires_capture' ? { state: 'refused' } : this.captured(after);
    }
  }

  private async captured(intent: Intent | null): Promise<Captured> {
    if (intent?.status !== 'succeeded') {
      return { state: intent?.status === 'canceled' ? 'refused' : 'pending' };
    }
    return { state: 'captured', settlement: settlementOf(intent, await this.feeOf(intent)) };
  }

  /** PAID does not wait for the fee, which the books tell as well. */
  private async feeOf({ latest_charge: charge, currency }: Intent): Promise<bigint | null> {
    const id = typeof charge === 'object' ? charge?.balance_transaction : null;
    if (typeof id !== 'string') return null;
    try {
      return feeOf(await this.api.readTransaction(id), currency);
    } catch (error) {
      log().info({ err: error, account: this.account.id }, 'Stripe did not tell a fee');
      return null;
    }
  }

  async void(authorisationId: string): Promise<void> {
    const session = await this.api.readSession(authorisationId);
    if (await this.release(session)) return;
    try {
      await this.api.expireSession(authorisationId);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The buyer was faster, or the page has just ended.
      if (!(await this.release(await this.api.readSession(authorisationId)))) throw error;
    }
  }

  /** Lets go of what a page holds. @returns false where the buyer can still pay there */
  private async release(session: Session): Promise<boolean> {
    const intent = intentOf(session);
    switch (intent?.status) {
      case 'requires_capture':
        await this.api.cancel(intent.id, attemptOf(session));
        return true;
      case 'succeeded':
        await this.api.giveBack(intent.id, attemptOf(session));
        return true;
      case 'processing':
        throw new Error(`stripe is still working on ${intent.id}`);
      default:
        return session.status !== 'open';
    }
  }

  handle(request: HookRequest, actions: HookActions): Promise<HookAnswer> {
    const { account, api, clock } = this;
    return answerWebhook(request, actions, { account, api, now: clock() });
  }
}

/** The attempt of a page, which is in every page that we made. */
function attemptOf({ id, client_reference_id: attemptId }: Session): string {
  if (!attemptId) throw new Error(`${id} names no payment attempt`);
  return attemptId;
}

/** A page's payment; null before the buyer has paid there for the first time. */
function intentOf({ payment_intent: intent }: Session): Intent | null {
  return typeof intent === 'object' ? intent : null;
}

const heldCurrencyOf = ({ currency }: Intent) => currency.toUpperCase() as Currency;

const holds = (intent: Intent, asked: { amountMinor: bigint; currency: Currency }) =>
  BigInt(intent.amount_capturable) === asked.amountMinor &&
  heldCurrencyOf(intent) === asked.currency;

const challengeOf = ({ id, url }: Session): Authorisation => ({
  state: 'challenge',
  authorisationId: id,
  url,
});

function authorisationOf(session: Session): Authorisation {
  const { id: authorisationId, status } = session;
  const intent = intentOf(session);
  switch (intent?.status) {
    case 'requires_capture':
    case 'succeeded': {
      const isHeld = intent.status === 'requires_capture';
      const amountMinor = BigInt(isHeld ? intent.amount_capturable : intent.amount_received);
      return {
        state: 'approved',
        authorisationId,
        held: { amountMinor, currency: heldCurrencyOf(intent) },
      };
    }
    case 'processing':
      return { state: 'pending' };
    case 'canceled':
      return { state: 'declined', reason: 'generic_decline', authorisationId };
  }
  if (status === 'open') return challengeOf(session);
  // A status that we do not know may still become money.
  if (status !== 'expired') return { state: 'pending' };
  return { state: 'declined', reason: 'challenge_abandoned', authorisationId };
}

const BRANDS: Readonly<Record<string, CardBrand>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  unionpay: 'unionpay',
  amex: 'amex',
};

function settlementOf({ id, latest_charge: charge }: Intent, feeMinor: bigint | null): Settlement {
  const { receipt_url, payment_method_details } = (charge ?? {}) as Partial<Stripe.Charge>;
  const card = payment_method_details?.card;
  return {
    transactionId: id,
    receiptUrl: receipt_url ?? null,
    cardBrand: card?.brand ? (BRANDS[card.brand] ?? 'unknown') : null,
    cardLast4: card?.last4 ?? null,
    feeMinor,
  };
}

/** Tries an account's key. @returns why it is turned away, or null */
export async function checkKey(account: OpenAccount, apiUrl: string): Promise<AccountFault | null> {
  try {
    await new StripeApi(account, apiUrl).tryKey();
    return null;
  } catch (error) {
    const status = statusOf(error);
    if (status === null) throw error;
    const isRefused = status === 401 || status === 403;
    return {
      code: isRefused ? 'credentials_refused' : 'unexpected_answer',
      detail: String(status),
    };
  }
}
