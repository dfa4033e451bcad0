import Stripe from 'stripe';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import type { RefundRequest } from '../../provider.ts';
import type { StartRequest } from '../../start-request.ts';
import { acquirerFetch, NotSentError } from '../acquirer-client.ts';

/** The version of Stripe's API that these calls are written for. */
const API_VERSION = '2026-10-28.endive';

/** How long a Checkout page accepts the payment, from the beginning of the attempt. */
export const PAGE_LIFE_MS = 40 * 60_000;

// The Stripe package must not give up before our own limit, which begins once the call's turn comes.
const PACKAGE_LIMIT_MS = 120_000;
const NAME_LENGTH = 250;
const LIST_LENGTH = 100;

/** Checkout has no Uzbek: it then goes by the browser. */
const LOCALES = { en: 'en', ru: 'ru', uz: 'auto' } as const;

export type Session = Stripe.Checkout.Session;
export type Intent = Stripe.PaymentIntent;
export type Refund = Stripe.Refund;

/** What Stripe keeps for us with each of its objects. */
export type OurMetadata = {
  attempt_id?: string;
  invoice_id?: string;
  refund_id?: string;
  account_id?: string;
};

/** The status of Stripe's answer that was no success; null where there was no answer. */
export function statusOf(error: unknown): number | null {
  return error instanceof Stripe.errors.StripeError ? (error.statusCode ?? null) : null;
}

/** Whether Stripe answered that it did nothing: its message says why. */
export function isRefusal(error: unknown): error is Stripe.errors.StripeError {
  const status = statusOf(error) ?? 0;
  // 409 is another call under the same key, 429 too many calls: both may be repeated.
  return status >= 400 && status < 500 && status !== 409 && status !== 429;
}

/** Whether Stripe answered by a fault of its own. It keeps that answer under the call's key. */
export const isFaultThere = (error: unknown): boolean => (statusOf(error) ?? 0) >= 500;

function isKeptFault(error: unknown): boolean {
  const { headers } = error as Partial<Stripe.errors.StripeError>;
  return isFaultThere(error) && headers?.['idempotent-replayed'] === 'true';
}

/** Whether a repeat can bring no other answer: Stripe refused, or repeated a fault that it keeps. */
export function isKept(error: unknown): boolean {
  const status = statusOf(error);
  return status === 400 || status === 402 || isKeptFault(error);
}

/**
 * Asks for what cannot be done twice: under the key, and without one where Stripe repeats a fault
 * that it keeps under it, which would hold the buyer's money for as long as it does.
 */
async function askAtLast<T>(
  key: string,
  ask: (options: Stripe.RequestOptions) => Promise<T>,
): Promise<T> {
  try {
    return await asked(ask({ idempotencyKey: key }));
  } catch (error) {
    if (!isKeptFault(error)) throw error;
    return await asked(ask({}));
  }
}

export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** The name of a call in the figures: `POST /v1/payment_intents/{id}/capture`. */
const operationOf = (method: string, path: string) =>
  `${method} ${path.replace(/\/[a-z]+_(?=\w*[\dA-Z])\w+/g, '/{id}')}`;

/** Stripe's API for one account, by Stripe's own package within the limits of all our calls. */
export class StripeApi {
  private readonly account: OpenAccount;
  private readonly stripe: Stripe;

  constructor(account: OpenAccount, apiUrl: string) {
    const { protocol, hostname, port } = new URL(apiUrl);
    this.account = account;
    this.stripe = new Stripe(account.credentials.secret_key ?? '', {
      apiVersion: API_VERSION,
      maxNetworkRetries: 0,
      telemetry: false,
      timeout: PACKAGE_LIMIT_MS,
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      ...(port === '' ? {} : { port }),
      httpClient: Stripe.createFetchHttpClient(acquirerFetch(account, operationOf)),
    });
  }

  /** Makes a page for an attempt. All comes from the request, so a repeat has the same bytes. */
  createSession(request: StartRequest): Promise<Session> {
    const { attemptId, invoiceId, amountMinor, currency, returnUrl } = request;
    const metadata = this.metadata({ attempt_id: attemptId, invoice_id: invoiceId });
    const name = [...request.description].slice(0, NAME_LENGTH).join('');
    const params: Stripe.Checkout.SessionCreateParams = {
      mode: 'payment',
      success_url: returnUrl,
      cancel_url: returnUrl,
      client_reference_id: attemptId,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: currency.toLowerCase(),
            unit_amount: Number(amountMinor),
            product_data: { name },
          },
        },
      ],
      allowed_payment_method_types: ['card'],
      payment_intent_data: { capture_method: 'manual', description: name, metadata },
      // The buyer pays the invoice's own amount in its own currency.
      adaptive_pricing: { enabled: false },
      metadata,
      expires_at: Math.floor((request.createdAtMs + PAGE_LIFE_MS) / 1000),
      locale: LOCALES[request.locale],
      ...(request.buyerEmail === null ? {} : { customer_email: request.buyerEmail }),
    };
    return asked(
      this.stripe.checkout.sessions.create(params, { idempotencyKey: `${attemptId}:session` }),
    );
  }

  /** A page with what became of its payment. */
  readSession(id: string): Promise<Session> {
    const expand = ['payment_intent.latest_charge'];
    return asked(this.stripe.checkout.sessions.retrieve(id, { expand }));
  }

  /** Ends a page that nobody has paid at. */
  expireSession(id: string): Promise<Session> {
    return asked(this.stripe.checkout.sessions.expire(id));
  }

  capture(intentId: string, attemptId: string): Promise<Intent> {
    return asked(
      this.stripe.paymentIntents.capture(
        intentId,
        { expand: ['latest_charge'] },
        { idempotencyKey: `${attemptId}:capture` },
      ),
    );
  }

  cancel(intentId: string, attemptId: string): Promise<Intent> {
    return askAtLast(`${attemptId}:cancel`, (options) =>
      this.stripe.paymentIntents.cancel(intentId, {}, options),
    );
  }

  /** Gives back the whole of a payment that no invoice knows of. */
  async giveBack(intentId: string, attemptId: string): Promise<void> {
    const metadata = this.metadata({ attempt_id: attemptId });
    try {
      await askAtLast(`${attemptId}:return`, (options) =>
        this.stripe.refunds.create({ payment_intent: intentId, metadata }, options),
      );
    } catch (error) {
      // A whole payment is given back once, whoever did it.
      if (!isRefusal(error) || error.code !== 'charge_already_refunded') throw error;
    }
  }

  refund({ refundId, payment, amountMinor }: RefundRequest): Promise<Refund> {
    const params = {
      payment_intent: payment.transactionId,
      amount: Number(amountMinor),
      metadata: this.metadata({ refund_id: refundId, invoice_id: payment.invoiceId }),
    };
    return asked(this.stripe.refunds.create(params, { idempotencyKey: refundId }));
  }

  readRefund(id: string): Promise<Refund> {
    return asked(this.stripe.refunds.retrieve(id));
  }

  /** All refunds of a payment, the newest first. */
  refundsOf(intentId: string): AsyncIterable<Refund> {
    return each(this.stripe.refunds.list({ payment_intent: intentId, limit: LIST_LENGTH }));
  }

  /** The payments that were begun in a span of seconds, `gte` inclusive, `lt` exclusive. */
  intentsIn(created: { gte: number; lt: number }): AsyncIterable<Intent> {
    const expand = ['data.latest_charge.balance_transaction'];
    return each(this.stripe.paymentIntents.list({ created, limit: LIST_LENGTH, expand }));
  }

  refundsIn(created: { gte: number; lt: number }): AsyncIterable<Refund> {
    return each(this.stripe.refunds.list({ created, limit: LIST_LENGTH }));
  }

  /** What Stripe booked for a charge, with its fee. A restricted key may have no right to it. */
  readTransaction(id: string): Promise<Stripe.BalanceTransaction> {
    return asked(this.stripe.balanceTransactions.retrieve(id));
  }

  readDispute(id: string): Promise<Stripe.Dispute> {
    return asked(this.stripe.disputes.retrieve(id));
  }

  /** Asks for as little as possible: whether the key is let in. */
  async tryKey(): Promise<void> {
    await asked(this.stripe.paymentIntents.list({ limit: 1 }));
  }

  private metadata(ours: OurMetadata): Record<string, string> {
    return { ...ours, account_id: this.account.id } as Record<string, string>;
  }
}

/** The package hides why a call was not sent behind an error of its own. */
function unwrapped(error: unknown): unknown {
  const { detail } = error as { detail?: unknown };
  return detail instanceof NotSentError ? detail : error;
}

async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw unwrapped(error);
  }
}

async function* each<T>(list: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* list;
  } catch (error) {
    throw unwrapped(error);
  }
}
