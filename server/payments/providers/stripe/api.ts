import type Stripe from 'stripe';
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

let loaded: typeof Stripe | null = null;

/** Stripe's package has hundreds of modules: a process without such an account does not load them. */
async function load(): Promise<typeof Stripe> {
  loaded ??= (await import('stripe')).default;
  return loaded;
}

/** The status of Stripe's answer that was no success; null where there was no answer. */
export function statusOf(error: unknown): number | null {
  const isOfStripe = loaded !== null && error instanceof loaded.errors.StripeError;
  return isOfStripe ? (error.statusCode ?? null) : null;
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

export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** The name of a call in the figures: `POST /v1/payment_intents/{id}/capture`. */
const operationOf = (method: string, path: string) =>
  `${method} ${path.replace(/\/[a-z]+_(?=\w*[\dA-Z])\w+/g, '/{id}')}`;

/** Stripe's API for one account, by Stripe's own package within the limits of all our calls. */
export class StripeApi {
  private readonly account: OpenAccount;
  private readonly apiUrl: string;
  private opened: Promise<Stripe> | undefined;

  constructor(account: OpenAccount, apiUrl: string) {
    this.account = account;
    this.apiUrl = apiUrl;
  }

  private async open(): Promise<Stripe> {
    const Package = await load();
    const { protocol, hostname, port } = new URL(this.apiUrl);
    return new Package(this.account.credentials.secret_key ?? '', {
      apiVersion: API_VERSION,
      maxNetworkRetries: 0,
      telemetry: false,
      timeout: PACKAGE_LIMIT_MS,
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      ...(port === '' ? {} : { port }),
      httpClient: Package.createFetchHttpClient(acquirerFetch(this.account, operationOf)),
    });
  }

  private stripe(): Promise<Stripe> {
    this.opened ??= this.open();
    return this.opened;
  }

  private async ask<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await this.stripe();
    try {
      return await call(stripe);
    } catch (error) {
      throw unwrapped(error);
    }
  }

  /**
   * Asks for what cannot be done twice: under the key, and without one where Stripe repeats a fault
   * that it keeps under it, which would hold the buyer's money for as long as it does.
   */
  private async askAtLast<T>(
    idempotencyKey: string,
    call: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.ask((stripe) => call(stripe, { idempotencyKey }));
    } catch (error) {
      if (!isKeptFault(error)) throw error;
      return await this.ask((stripe) => call(stripe, {}));
    }
  }

  private async *each<T>(list: (stripe: Stripe) => AsyncIterable<T>): AsyncIterable<T> {
    const stripe = await this.stripe();
    try {
      yield* list(stripe);
    } catch (error) {
      throw unwrapped(error);
    }
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
    const options = { idempotencyKey: `${attemptId}:session` };
    return this.ask(({ checkout }) => checkout.sessions.create(params, options));
  }

  /** A page with what became of its payment. */
  readSession(id: string): Promise<Session> {
    const expand = ['payment_intent.latest_charge'];
    return this.ask(({ checkout }) => checkout.sessions.retrieve(id, { expand }));
  }

  /** Ends a page that nobody has paid at. */
  expireSession(id: string): Promise<Session> {
    return this.ask(({ checkout }) => checkout.sessions.expire(id));
  }

  capture(intentId: string, attemptId: string): Promise<Intent> {
    const options = { idempotencyKey: `${attemptId}:capture` };
    return this.ask(({ paymentIntents }) =>
      paymentIntents.capture(intentId, { expand: ['latest_charge'] }, options),
    );
  }

  cancel(intentId: string, attemptId: string): Promise<Intent> {
    return this.askAtLast(`${attemptId}:cancel`, ({ paymentIntents }, options) =>
      paymentIntents.cancel(intentId, {}, options),
    );
  }

  /** Gives back the whole of a payment that no invoice knows of. */
  async giveBack(intentId: string, attemptId: string): Promise<void> {
    const metadata = this.metadata({ attempt_id: attemptId });
    try {
      await this.askAtLast(`${attemptId}:return`, ({ refunds }, options) =>
        refunds.create({ payment_intent: intentId, metadata }, options),
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
    return this.ask(({ refunds }) => refunds.create(params, { idempotencyKey: refundId }));
  }

  readRefund(id: string): Promise<Refund> {
    return this.ask(({ refunds }) => refunds.retrieve(id));
  }

  /** All refunds of a payment, the newest first. */
  refundsOf(intentId: string): AsyncIterable<Refund> {
    return this.each(({ refunds }) =>
      refunds.list({ payment_intent: intentId, limit: LIST_LENGTH }),
    );
  }

  /** The payments that were begun in a span of seconds, `gte` inclusive, `lt` exclusive. */
  intentsIn(created: { gte: number; lt: number }): AsyncIterable<Intent> {
    const expand = ['data.latest_charge.balance_transaction'];
    return this.each(({ paymentIntents }) =>
      paymentIntents.list({ created, limit: LIST_LENGTH, expand }),
    );
  }

  refundsIn(created: { gte: number; lt: number }): AsyncIterable<Refund> {
    return this.each(({ refunds }) => refunds.list({ created, limit: LIST_LENGTH }));
  }

  /** What Stripe booked for a charge, with its fee. A restricted key may have no right to it. */
  readTransaction(id: string): Promise<Stripe.BalanceTransaction> {
    return this.ask(({ balanceTransactions }) => balanceTransactions.retrieve(id));
  }

  readDispute(id: string): Promise<Stripe.Dispute> {
    return this.ask(({ disputes }) => disputes.retrieve(id));
  }

  /** Asks for as little as possible: whether the key is let in. */
  async tryKey(): Promise<void> {
    await this.ask(({ paymentIntents }) => paymentIntents.list({ limit: 1 }));
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
