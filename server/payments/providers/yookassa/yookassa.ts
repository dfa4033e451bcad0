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
  ReadBooks,
  RedirectProvider,
  Settlement,
} from '../../provider.ts';
import type { StartRequest } from '../../start-request.ts';
import type { CardBrand, DeclineReason } from '../../types.ts';
import { NotSentError } from '../acquirer-client.ts';
import {
  fromAmount,
  KEY_LIFE_MS,
  toAmount,
  YooKassaApi,
  type YooKassaPayment,
  YooKassaRefusal,
  type YooKassaShop,
} from './api.ts';
import { feeOf, readBooks } from './books.ts';
import { described, linesOf, receiptOf, sendsReceipts } from './receipt.ts';
import { seenOf, YooKassaRefunds } from './refunds.ts';

/** YooKassa ends a payment that nobody has made after an hour, and tells nobody. */
export const PAGE_LIFE_MS = 60 * 60_000;
/** A notification is answered sooner than YooKassa's own wait of our calls ends. */
const HOOK_MS = 12_000;

type Options = { account: OpenAccount; apiUrl: string };

/**
 * YooKassa: we make a payment there, and the buyer pays at its page. The money is held until our
 * capture. Its notifications are not signed: each only means that it is time to ask.
 */
export class YooKassa implements RedirectProvider {
  readonly kind = 'redirect';
  readonly name = 'yookassa';
  readonly pageLifeMs = PAGE_LIFE_MS;
  readonly refunds: YooKassaRefunds;
  readonly readBooks: ReadBooks;
  private readonly api: YooKassaApi;
  private readonly account: OpenAccount;

  constructor({ account, apiUrl }: Options) {
    this.account = account;
    this.api = new YooKassaApi(account, apiUrl);
    this.refunds = new YooKassaRefunds(this.api, account.credentials);
    this.readBooks = readBooks(this.api);
  }

  async start(request: StartRequest): Promise<Authorisation> {
    try {
      return authorisationOf(await this.create(request));
    } catch (error) {
      // YooKassa made nothing when it refused.
      if (!(error instanceof YooKassaRefusal) || error.isOfKey) throw error;
      throw new NotSentError(error.message, { cause: error });
    }
  }

  private create(request: StartRequest): Promise<YooKassaPayment> {
    const { attemptId, invoiceId, amountMinor, currency, description, locale } = request;
    const body = {
      amount: toAmount(amountMinor, currency),
      capture: false,
      confirmation: {
        type: 'redirect',
        return_url: request.returnUrl,
        locale: locale === 'en' ? 'en_US' : 'ru_RU',
      },
      description: described(description),
      metadata: { attempt_id: attemptId, invoice_id: invoiceId },
      ...receiptOf(this.account.credentials, request, linesOf(request)),
    };
    return this.api.createPayment(body, attemptId);
  }

  async lookup(attempt: AttemptKey, now: Date): Promise<Authorisation | { state: 'unknown' }> {
    const id = attempt.authorisationId ?? (await this.recreate(attempt, now));
    if (id === null) return { state: 'unknown' };
    return authorisationOf(await this.api.readPayment(id));
  }

  /**
   * Makes the payment whose answer was lost, under the same key: YooKassa answers by the first one.
   *
   * @returns its id; null where no buyer can have seen a payment's page
   */
  private async recreate(
    { startRequest, createdAtMs }: AttemptKey,
    now: Date,
  ): Promise<string | null> {
    if (!startRequest || now.getTime() - createdAtMs >= KEY_LIFE_MS) return null;
    try {
      return (await this.create(startRequest)).id;
    } catch (error) {
      if (error instanceof YooKassaRefusal && error.isFinal) return null;
      throw error;
    }
  }

  async capture(request: CaptureRequest): Promise<Captured> {
    const { authorisationId: id, amountMinor, currency } = request;
    const before = await this.api.readPayment(id);
    if (before.status !== 'waiting_for_capture') return capturedOf(before, request);
    try {
      return capturedOf(
        await this.api.capturePayment(id, toAmount(amountMinor, currency)),
        request,
      );
    } catch (error) {
      if (!(error instanceof YooKassaRefusal) || !error.isFinal) throw error;
      // It ended meanwhile; or YooKassa holds it and does not let us have it, so it goes back.
      const after = await this.api.readPayment(id);
      return after.status === 'succeeded' ? capturedOf(after, request) : { state: 'refused' };
    }
  }

  async void(authorisationId: string): Promise<void> {
    const payment = await this.api.readPayment(authorisationId);
    switch (payment.status) {
      // It cannot be withdrawn before the buyer has paid: its page ends by itself.
      case 'pending':
      case 'canceled':
        return;
      case 'waiting_for_capture': {
        const { status } = await this.api.cancelPayment(authorisationId);
        if (status !== 'canceled')
          throw new Error(`${authorisationId} is ${status} after a cancel`);
        return;
      }
      case 'succeeded':
        return await this.giveBack(payment);
      default:
        throw new Error(`${authorisationId} is ${payment.status}, so it cannot be voided`);
    }
  }

  /** Gives the whole back of a payment that was captured in YooKassa's cabinet. */
  private async giveBack({ id, amount, refunded_amount }: YooKassaPayment): Promise<void> {
    const { amountMinor, currency } = fromAmount(amount);
    const backMinor = refunded_amount ? fromAmount(refunded_amount).amountMinor : 0n;
    if (backMinor >= amountMinor) return;
    const body = { payment_id: id, amount: toAmount(amountMinor - backMinor, currency) };
    const { status } = await this.api.createRefund(body, `void_${id}`);
    if (status !== 'succeeded') throw new Error(`the refund of ${id} is ${status}`);
  }

  /** The body tells which payment to ask about, and nothing else of it is believed. */
  async handle(request: HookRequest, actions: HookActions): Promise<HookAnswer> {
    const told = parse(request.body);
    if (!told) return answer(400);
    try {
      return await withTimeout(HOOK_MS, this.follow(told, actions));
    } catch (error) {
      // It is another shop's, or somebody's who only pretends to be YooKassa.
      const isUnknown = error instanceof YooKassaRefusal && error.status === 404;
      return answer(isUnknown ? 200 : 503);
    }
  }

  private async follow(told: Told, { resume, takeRefund }: HookActions): Promise<HookAnswer> {
    const { event, id, attemptId } = told;
    if (event.startsWith('refund.')) {
      await takeRefund(seenOf(await this.api.readRefund(id)));
      return answer(200);
    }
    // Another program of the merchant's takes payments by the same shop.
    if (!event.startsWith('payment.') || attemptId === null) return answer(200);
    const attempt = await resume({ attemptId });
    if (attempt) {
      // Its own payment is still being made: the notification comes again.
      return answer(attempt.status === 'authorising' ? 503 : 200);
    }
    const { metadata } = await this.api.readPayment(id);
    return answer(metadata?.attempt_id === attemptId ? 503 : 200);
  }
}

/**
 * Tries an account's credentials.
 *
 * @returns why they do not work, or null
 */
export async function checkShop({ account, apiUrl }: Options): Promise<AccountFault | null> {
  let shop: YooKassaShop;
  try {
    shop = await new YooKassaApi(account, apiUrl).readShop();
  } catch (error) {
    if (!(error instanceof YooKassaRefusal)) throw error;
    return { code: 'credentials_refused', detail: error.code };
  }
  const { account_id, test, status = null, fiscalization } = shop;
  if (account_id !== account.credentials.shop_id) {
    return { code: 'credentials_refused', detail: account_id ?? null };
  }
  if (test !== (account.environment === 'sandbox')) {
    return { code: 'wrong_environment', detail: null };
  }
  if (status !== 'enabled') return { code: 'shop_disabled', detail: status };
  const isTaxed = !fiscalization?.enabled || sendsReceipts(account.credentials);
  return isTaxed ? null : { code: 'receipts_unset', detail: null };
}

const REASONS: Readonly<Record<string, DeclineReason>> = {
  '3d_secure_failed': 'authentication_failed',
  card_expired: 'expired_card',
  expired_on_confirmation: 'challenge_abandoned',
  insufficient_funds: 'insufficient_funds',
  internal_timeout: 'processing_error',
  invalid_csc: 'incorrect_cvc',
  issuer_unavailable: 'processing_error',
};

function authorisationOf(payment: YooKassaPayment): Authorisation {
  const { id, status, amount, cancellation_details, confirmation } = payment;
  switch (status) {
    case 'waiting_for_capture':
    case 'succeeded':
      return { state: 'approved', authorisationId: id, held: fromAmount(amount) };
    case 'canceled': {
      const reason = REASONS[cancellation_details?.reason ?? ''] ?? 'generic_decline';
      return { state: 'declined', reason, authorisationId: id };
    }
    // The buyer is at the page; a status that is unknown to us decides nothing either.
    default:
      return {
        state: 'challenge',
        authorisationId: id,
        url: confirmation?.confirmation_url ?? null,
      };
  }
}

function capturedOf(payment: YooKassaPayment, { amountMinor, currency }: CaptureRequest): Captured {
  if (payment.status === 'canceled') return { state: 'refused' };
  if (payment.status !== 'succeeded') return { state: 'pending' };
  const taken = fromAmount(payment.amount);
  // A part of it was captured in YooKassa's cabinet: it pays no invoice, and goes back.
  const isWhole = taken.amountMinor === amountMinor && taken.currency === currency;
  return isWhole ? { state: 'captured', settlement: settlementOf(payment) } : { state: 'refused' };
}

const BRANDS: Readonly<Record<string, CardBrand>> = {
  Mir: 'mir',
  Visa: 'visa',
  MasterCard: 'mastercard',
  UnionPay: 'unionpay',
  AmericanExpress: 'amex',
};

function settlementOf(payment: YooKassaPayment): Settlement {
  const { card } = payment.payment_method ?? {};
  return {
    transactionId: payment.id,
    receiptUrl: null,
    cardBrand: card ? (BRANDS[card.card_type ?? ''] ?? 'unknown') : null,
    cardLast4: card?.last4 ?? null,
    feeMinor: feeOf(payment),
  };
}

/** What a notification names: a payment, with our attempt where it is ours, or a refund. */
type Told = { event: string; id: string; attemptId: string | null };

function parse(bytes: Uint8Array): Told | null {
  let body: { type?: unknown; event?: unknown; object?: unknown };
  try {
    body = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
  if (body?.type !== 'notification' || typeof body.event !== 'string') return null;
  if (typeof body.object !== 'object' || body.object === null) return null;
  const { id, metadata } = body.object as { id?: unknown; metadata?: { attempt_id?: unknown } };
  if (typeof id !== 'string') return null;
  const attemptId = metadata?.attempt_id;
  return { event: body.event, id, attemptId: typeof attemptId === 'string' ? attemptId : null };
}

function answer(status: number): HookAnswer {
  return { status, contentType: 'application/json', body: '{}', fault: null };
}
