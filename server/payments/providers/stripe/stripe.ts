import type Stripe from 'stripe';
import type { Currency } from '../../../lib/money.ts';
import { withTimeout } from '../../../lib/timeout.ts';
import type { AccountFault } from '../../../merchants/account-faults.ts';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import type {
  AttemptKey,
  Authorisation,
  Captured,
  CaptureRequest,
  HookActions,
  HookAnswer,
  HookRequest,
  RedirectProvider,
  SeenDispute,
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
  type OurMetadata,
  PAGE_LIFE_MS,
  type Session,
  StripeApi,
  statusOf,
} from './api.ts';
import { currencyOf, feeOf, readBooks } from './books.ts';
import { StripeRefunds, seenRefundOf } from './refunds.ts';
import { isSigned } from './signature.ts';

/** A page must live for 30 minutes from its creation, and clocks differ (Stripe, "expires_at"). */
const LEAST_PAGE_LIFE_MS = 31 * 60_000;
/** Stripe waits longer for an answer; its call then comes again. */
const HOOK_LIMIT_MS = 15_000;

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
    if (intent?.status !== 'requires_capture') return capturedOf(intent);
    if (!holds(intent, { amountMinor, currency })) return { state: 'refused' };
    try {
      return capturedOf(await this.api.capture(intent.id, attemptOf(session)));
    } catch (error) {
      if (!isKept(error)) throw error;
      // A repeat can bring nothing else: the money goes back, and the buyer may begin anew.
      const after = intentOf(await this.api.readSession(authorisationId));
      return after?.status === 'requires_capture' ? { state: 'refused' } : capturedOf(after);
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

  async handle(request: HookRequest, actions: HookActions): Promise<HookAnswer> {
    const { webhook_secret: secret = '' } = this.account.credentials;
    const header = request.header('stripe-signature');
    if (!isSigned(request.body, header, { secret, now: this.clock() })) {
      return answer(400, 'wrong_signature');
    }
    const event = JSON.parse(Buffer.from(request.body).toString('utf8')) as Event;
    if (event.livemode !== (this.account.environment === 'production')) {
      return answer(400, 'wrong_environment');
    }
    return await withTimeout(HOOK_LIMIT_MS, this.follow(event, actions));
  }

  /** Asks what became of that which an event is about; the event itself is not believed. */
  private async follow(event: Event, actions: HookActions): Promise<HookAnswer> {
    const { type, data } = event;
    if (type.startsWith('charge.dispute.')) {
      const dispute = disputeOf(await this.api.readDispute(data.object.id));
      if (dispute) await actions.takeDispute(dispute);
      return answer(200);
    }
    if (REFUND_EVENTS.test(type)) return await this.followRefunds(event, actions);
    if (!PAYMENT_EVENTS.test(type)) return answer(200);
    const { attempt_id: attemptId, account_id: accountId } = data.object.metadata ?? {};
    // The merchant's account at Stripe may have other shops, and other accounts here.
    if (attemptId === undefined || accountId !== this.account.id) return answer(200);
    const attempt = await actions.resume({ attemptId });
    // It is ours but not there yet: Stripe comes again.
    return attempt ? answer(200) : answer(503);
  }

  /** Takes in one refund, or all refunds of a charge. Those of other shops are let go. */
  private async followRefunds(
    { type, data: { object } }: Event,
    { takeRefund }: HookActions,
  ): Promise<HookAnswer> {
    const intent = typeof object.payment_intent === 'string' ? object.payment_intent : null;
    const found =
      type === 'charge.refunded'
        ? intent !== null && this.api.refundsOf(intent)
        : [await this.api.readRefund(object.id)];
    for await (const refund of found || []) {
      const seen = seenRefundOf(refund);
      if (seen) await takeRefund(seen);
    }
    return answer(200);
  }
}

const REFUND_EVENTS = /^(refund\.|charge\.refunded$)/;
const PAYMENT_EVENTS = /^(checkout\.session|payment_intent)\./;

/** The part of an event that is read. */
type Event = {
  type: string;
  livemode: boolean;
  data: { object: { id: string; metadata?: OurMetadata | null; payment_intent?: unknown } };
};

/** The text is for the merchant, who reads it in Stripe's list of deliveries. */
function answer(status: number, fault: HookAnswer['fault'] = null): HookAnswer {
  const text = fault ?? (status === 200 ? 'ok' : 'come again');
  return { status, contentType: 'text/plain; charset=utf-8', body: text, fault };
}

const CLOSED_DISPUTES = ['won', 'lost', 'warning_closed', 'prevented'];

/** A dispute of one of our payments, which all have an intent; null for any other. */
function disputeOf(dispute: Stripe.Dispute): SeenDispute | null {
  const { id, payment_intent: intent, amount, reason, status } = dispute;
  const currency = currencyOf(dispute.currency);
  if (typeof intent !== 'string' || !currency) return null;
  const isClosed = CLOSED_DISPUTES.includes(status);
  const amountMinor = BigInt(amount);
  return { id, transactionId: intent, amountMinor, currency, reason, status, isClosed };
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

function capturedOf(intent: Intent | null): Captured {
  if (intent?.status === 'succeeded') {
    return { state: 'captured', settlement: settlementOf(intent) };
  }
  return { state: intent?.status === 'canceled' ? 'refused' : 'pending' };
}

const BRANDS: Readonly<Record<string, CardBrand>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  unionpay: 'unionpay',
  amex: 'amex',
};

function settlementOf({ id, currency, latest_charge: charge }: Intent): Settlement {
  const { receipt_url, payment_method_details, balance_transaction } = (charge ??
    {}) as Partial<Stripe.Charge>;
  const card = payment_method_details?.card;
  return {
    transactionId: id,
    receiptUrl: receipt_url ?? null,
    cardBrand: card?.brand ? (BRANDS[card.brand] ?? 'unknown') : null,
    cardLast4: card?.last4 ?? null,
    feeMinor: feeOf(balance_transaction, currency),
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
