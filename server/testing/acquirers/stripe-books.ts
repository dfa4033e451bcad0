import { randomBytes } from 'node:crypto';
import {
  asForm,
  asText,
  type Form,
  missing,
  StripeRefusal,
  unexpected,
  wrong,
} from './stripe-wire.ts';

/** An object at Stripe as its interface shows it; what refers to another has its id. */
export type StripeObject = { id: string; object: string } & Record<string, unknown>;

/** The parameters that a page is made of here; any other is refused, as Stripe refuses it. */
const PAGE_PARAMETERS = [
  'mode',
  'success_url',
  'cancel_url',
  'client_reference_id',
  'line_items',
  'allowed_payment_method_types',
  'payment_intent_data',
  'adaptive_pricing',
  'metadata',
  'expires_at',
  'locale',
  'customer_email',
  'expand',
];

type Event = { owner: string; type: string; object: StripeObject };

/**
 * Stripe's books: Checkout pages, payment intents with manual capture, charges, refunds, disputes.
 * Each belongs to a secret key, and nobody else finds it.
 */
export class StripeBooks {
  /** In the order in which they were made. */
  readonly objects = new Map<string, StripeObject>();
  /** What happened and nobody was told of yet. */
  readonly events: Event[] = [];
  /** What is held that differs from what was asked, for tests of that. */
  heldAmount: number | null = null;
  /** How a refund stands when it was asked for. */
  refundStatus: 'succeeded' | 'pending' = 'succeeded';
  private readonly owners = new Map<string, string>();
  private readonly clock: () => Date;
  private readonly pageUrl: (id: string) => string;

  constructor(clock: () => Date, pageUrl: (id: string) => string) {
    this.clock = clock;
    this.pageUrl = pageUrl;
  }

  nowS(): number {
    return Math.floor(this.clock().getTime() / 1000);
  }

  /** All objects of a kind, the oldest first. */
  all(object: string): StripeObject[] {
    return [...this.objects.values()].filter((each) => each.object === object);
  }

  /** @throws StripeRefusal where the owner has no such object */
  find(owner: string, id: string): StripeObject {
    const found = this.objects.get(id);
    if (!found || this.owners.get(id) !== owner) throw missing(id);
    if (found.object === 'checkout.session') this.endInTime(found);
    return found;
  }

  ownerOf(id: string): string {
    const owner = this.owners.get(id);
    if (owner === undefined) throw missing(id);
    return owner;
  }

  /** A page of Stripe's list, the newest first. */
  list(owner: string, object: string, query: Form, url: string): object {
    const { gte, lt } = asForm(query.created);
    const intent = asText(query.payment_intent);
    const matching = this.all(object)
      .filter(({ id }) => this.owners.get(id) === owner)
      .filter(({ created }) => !gte || Number(created) >= Number(gte))
      .filter(({ created }) => !lt || Number(created) < Number(lt))
      .filter(({ payment_intent }) => intent === '' || payment_intent === intent)
      .reverse();
    const after = asText(query.starting_after);
    const from = after === '' ? 0 : matching.findIndex(({ id }) => id === after) + 1;
    const limit = Number(asText(query.limit) || 10);
    if (limit < 1 || limit > 100) throw wrong('limit', 'from 1 to 100');
    const data = matching.slice(from, from + limit);
    return { object: 'list', url, data, has_more: from + limit < matching.length };
  }

  createPage(owner: string, form: Form): StripeObject {
    for (const name of Object.keys(form)) {
      if (!PAGE_PARAMETERS.includes(name)) throw wrong(name, 'unknown', 'parameter_unknown');
    }
    const line = asForm(asForm(form.line_items)[0]);
    const price = asForm(line.price_data);
    const amount = Number(asText(price.unit_amount)) * Number(asText(line.quantity));
    const expiresAt = Number(asText(form.expires_at));
    const lifeS = expiresAt - this.nowS();
    if (form.mode !== 'payment' || !asText(form.success_url)) throw wrong('mode', 'missing');
    if (!asText(asForm(price.product_data).name)) throw wrong('product_data[name]', 'missing');
    if (!Number.isInteger(amount) || amount < 50 || amount > 99_999_999) {
      throw wrong('unit_amount', 'out of bounds', 'amount_too_small');
    }
    if (!(lifeS >= 1_800 && lifeS <= 86_400)) throw wrong('expires_at', '30 minutes to 24 hours');
    const id = newId('cs_test');
    return this.keep(owner, {
      id,
      object: 'checkout.session',
      mode: 'payment',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      url: this.pageUrl(id),
      amount_total: amount,
      currency: asText(price.currency),
      client_reference_id: asText(form.client_reference_id) || null,
      metadata: form.metadata ?? {},
      intent_metadata: asForm(form.payment_intent_data).metadata ?? {},
      success_url: asText(form.success_url),
      cancel_url: asText(form.cancel_url),
      expires_at: expiresAt,
      livemode: false,
    });
  }

  /** @throws StripeRefusal unless the page is open */
  expirePage(owner: string, id: string): StripeObject {
    const page = this.find(owner, id);
    if (page.status !== 'open') {
      throw new StripeRefusal(400, {
        message: `Only open sessions can be expired: ${page.status}`,
      });
    }
    return this.end(page);
  }

  /** The buyer presses Pay: the money is held, unless the bank refuses. */
  pay(pageId: string, isRefused = false): StripeObject {
    const owner = this.ownerOf(pageId);
    const page = this.find(owner, pageId);
    if (page.status !== 'open') throw new Error(`the page is ${page.status}`);
    const intent = this.intentOf(owner, page);
    if (isRefused) {
      const message = 'Your card was declined.';
      intent.last_payment_error = { type: 'card_error', code: 'card_declined', message };
      this.tell('payment_intent.payment_failed', intent);
      return intent;
    }
    const amount = this.heldAmount ?? Number(page.amount_total);
    const charge = this.keep(owner, {
      id: newId('ch'),
      object: 'charge',
      amount,
      currency: page.currency,
      payment_intent: intent.id,
      balance_transaction: null,
      amount_refunded: 0,
      receipt_url: `https://pay.stripe.com/receipts/${intent.id}`,
      payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
    });
    Object.assign(intent, {
      status: 'requires_capture',
      amount,
      amount_capturable: amount,
      latest_charge: charge.id,
      last_payment_error: null,
    });
    Object.assign(page, { status: 'complete', url: null });
    this.tell('charge.succeeded', charge);
    this.tell('payment_intent.amount_capturable_updated', intent);
    this.tell('checkout.session.completed', page);
    return intent;
  }

  capture(owner: string, id: string): StripeObject {
    const intent = this.find(owner, id);
    if (intent.status !== 'requires_capture') {
      throw unexpected(`This PaymentIntent could not be captured: ${intent.status}`);
    }
    const { currency, amount_capturable } = intent;
    const amount = Number(amount_capturable);
    const transaction = this.keep(owner, {
      id: newId('txn'),
      object: 'balance_transaction',
      amount,
      currency,
      fee: Math.round((amount * 29) / 1000) + 30,
    });
    const charge = this.find(owner, String(intent.latest_charge));
    charge.balance_transaction = transaction.id;
    Object.assign(intent, { status: 'succeeded', amount_capturable: 0, amount_received: amount });
    this.tell('payment_intent.succeeded', intent);
    return intent;
  }

  cancel(owner: string, id: string): StripeObject {
    const intent = this.find(owner, id);
    if (intent.status !== 'requires_capture') {
      throw unexpected(`You cannot cancel this PaymentIntent: ${intent.status}`);
    }
    return this.cancelIntent(intent);
  }

  refund(owner: string, form: Form): StripeObject {
    const intent = this.find(owner, asText(form.payment_intent));
    if (intent.status !== 'succeeded') throw unexpected(`It has no charge: ${intent.status}`);
    const charge = this.find(owner, String(intent.latest_charge));
    const left = Number(charge.amount) - Number(charge.amount_refunded);
    const amount = form.amount === undefined ? left : Number(asText(form.amount));
    if (left === 0) {
      throw new StripeRefusal(400, {
        code: 'charge_already_refunded',
        message: 'Already refunded',
      });
    }
    if (!(amount > 0 && amount <= left)) {
      throw new StripeRefusal(400, { message: `Refund amount is greater than ${left}` });
    }
    charge.amount_refunded = Number(charge.amount_refunded) + amount;
    const refund = this.keep(owner, {
      id: newId('re'),
      object: 'refund',
      amount,
      currency: intent.currency,
      charge: charge.id,
      payment_intent: intent.id,
      metadata: form.metadata ?? {},
      reason: null,
      status: this.refundStatus,
    });
    this.tell('refund.created', refund);
    this.tell('charge.refunded', charge);
    return refund;
  }

  /** A refund ends at the bank. */
  settleRefund(id: string, status: 'succeeded' | 'failed', failureReason = 'unknown'): void {
    const refund = this.find(this.ownerOf(id), id);
    refund.status = status;
    if (status === 'failed') {
      refund.failure_reason = failureReason;
      const charge = this.find(this.ownerOf(id), String(refund.charge));
      charge.amount_refunded = Number(charge.amount_refunded) - Number(refund.amount);
      this.tell('refund.failed', refund);
    }
    this.tell('refund.updated', refund);
  }

  /** The buyer disputes a payment at the bank, or the bank decides. */
  dispute(intentId: string, status: string, reason = 'fraudulent'): StripeObject {
    const owner = this.ownerOf(intentId);
    const open = this.all('dispute').find((each) => each.payment_intent === intentId);
    const { amount_received: amount, currency, latest_charge: charge } = this.find(owner, intentId);
    const dispute =
      open ??
      this.keep(owner, {
        id: newId('du'),
        object: 'dispute',
        amount,
        currency,
        charge,
        payment_intent: intentId,
        reason,
      });
    dispute.status = status;
    const isClosed = ['won', 'lost', 'warning_closed'].includes(status);
    const change = open ? 'updated' : 'created';
    this.tell(`charge.dispute.${isClosed ? 'closed' : change}`, dispute);
    return dispute;
  }

  /** A payment that nobody has tried to pay yet, here or in another shop of the owner's. */
  makeIntent(owner: string, asked: Record<string, unknown>): StripeObject {
    return this.keep(owner, {
      id: newId('pi'),
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount_capturable: 0,
      amount_received: 0,
      capture_method: 'manual',
      latest_charge: null,
      last_payment_error: null,
      metadata: {},
      ...asked,
    });
  }

  /** What another shop of the owner's took at once. */
  settle(intentId: string): void {
    const owner = this.ownerOf(intentId);
    const intent = this.find(owner, intentId);
    const { amount, currency } = intent;
    const charge = { id: newId('ch'), object: 'charge', amount, currency, amount_refunded: 0 };
    const { id } = this.keep(owner, { ...charge, payment_intent: intentId });
    Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: id });
  }

  private keep(owner: string, object: StripeObject): StripeObject {
    const kept = { created: this.nowS(), livemode: false, ...object };
    this.objects.set(kept.id, kept);
    this.owners.set(kept.id, owner);
    return kept;
  }

  private tell(type: string, object: StripeObject): void {
    this.events.push({ owner: this.ownerOf(object.id), type, object: structuredClone(object) });
  }

  private intentOf(owner: string, page: StripeObject): StripeObject {
    if (page.payment_intent !== null) return this.find(owner, String(page.payment_intent));
    const { amount_total: amount, currency, intent_metadata: metadata } = page;
    const intent = this.makeIntent(owner, { amount, currency, metadata });
    page.payment_intent = intent.id;
    this.tell('payment_intent.created', intent);
    return intent;
  }

  private endInTime(page: StripeObject): void {
    if (page.status === 'open' && Number(page.expires_at) <= this.nowS()) this.end(page);
  }

  private end(page: StripeObject): StripeObject {
    Object.assign(page, { status: 'expired', url: null });
    if (page.payment_intent !== null) {
      this.cancelIntent(this.find(this.ownerOf(page.id), String(page.payment_intent)));
    }
    this.tell('checkout.session.expired', page);
    return page;
  }

  private cancelIntent(intent: StripeObject): StripeObject {
    Object.assign(intent, { status: 'canceled', amount_capturable: 0 });
    this.tell('payment_intent.canceled', intent);
    return intent;
  }
}

const newId = (prefix: string) => `${prefix}_0${randomBytes(12).toString('hex')}`;
