import { fromDecimalString } from '../../lib/money.ts';
import {
  type Amount,
  newId,
  type Payment,
  paymentObject,
  type Receipt,
  type Refund,
  refundObject,
  type Shop,
} from './yookassa-objects.ts';

export type News = { shopId: string; event: string; object: object };

/** A refusal in YooKassa's own words. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly parameter: string | undefined;

  constructor(status: number, code: string, description: string, parameter?: string) {
    super(description);
    this.status = status;
    this.code = code;
    this.parameter = parameter;
  }
}

const invalid = (description: string, parameter?: string) =>
  new Refused(400, 'invalid_request', description, parameter);

const PAGE_MS = 3_600_000;
const HELD_MS = 7 * 24 * 3_600_000;
const LEAST_MINOR = 100n;

function minorOf(amount: unknown, parameter: string): bigint {
  const { value, currency } = (amount ?? {}) as Partial<Amount>;
  const minor = fromDecimalString(String(value ?? ''), 'RUB');
  if (minor === null || minor === 0n) throw invalid('Incorrect value', `${parameter}.value`);
  if (currency !== 'RUB') throw invalid('Incorrect currency', `${parameter}.currency`);
  return minor;
}

/** The lines of a receipt must add up to what is paid or given back. */
function receiptOf(given: unknown, amountMinor: bigint): Receipt {
  const receipt = given as Receipt;
  const { email, phone } = receipt.customer ?? {};
  if (!email && !phone) throw invalid('Receipt is missing or illegal', 'receipt.customer');
  let sum = 0n;
  for (const { description, quantity, amount, vat_code } of receipt.items ?? []) {
    if (!description || description.length > 128 || !(vat_code >= 1 && vat_code <= 12)) {
      throw invalid('Receipt is missing or illegal', 'receipt.items');
    }
    sum += minorOf(amount, 'receipt.items.amount') * BigInt(Math.round(Number(quantity)));
  }
  if (sum !== amountMinor) throw invalid('Receipt is missing or illegal', 'receipt');
  return receipt;
}

function metadataOf(given: unknown): Record<string, string> {
  const entries = Object.entries((given ?? {}) as Record<string, unknown>);
  const isGood = entries.every(
    ([key, value]) => key.length <= 32 && typeof value === 'string' && value.length <= 512,
  );
  if (!isGood || entries.length > 16) throw invalid('Incorrect metadata', 'metadata');
  return Object.fromEntries(entries) as Record<string, string>;
}

/** YooKassa's books: payments and refunds of its shops, and what they are to be told. */
export class YooKassaLedger {
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  /** What happened and no shop has taken yet, the oldest first. */
  readonly news: News[] = [];
  /** Whether a capture is carried out when it is ordered. */
  captures: 'at once' | 'later' = 'at once';
  /** What becomes of a refund when it is asked for. */
  refundsBecome: 'succeeded' | 'pending' | 'canceled' = 'succeeded';
  private readonly clock: () => Date;

  constructor(clock: () => Date) {
    this.clock = clock;
  }

  create(shop: Shop, body: Record<string, unknown>): Payment {
    const amountMinor = minorOf(body.amount, 'amount');
    if (amountMinor < LEAST_MINOR) throw invalid('Amount is too small', 'amount.value');
    const { type, return_url } = (body.confirmation ?? {}) as Record<string, string>;
    if (type !== 'redirect' || !URL.canParse(return_url ?? '')) {
      throw invalid('Incorrect confirmation', 'confirmation');
    }
    const description = String(body.description ?? '');
    if (description.length > 128) throw invalid('Description is too long', 'description');
    if (shop.sendsReceipts && !body.receipt) {
      throw invalid('Receipt is missing or illegal', 'receipt');
    }
    const payment: Payment = {
      shopId: shop.id,
      id: newId(),
      status: 'pending',
      amountMinor,
      currency: 'RUB',
      refundedMinor: 0n,
      createdAtMs: this.clock().getTime(),
      expiresAtMs: null,
      wantsCapture: body.capture !== true,
      isOrdered: false,
      returnUrl: return_url ?? '',
      description,
      metadata: metadataOf(body.metadata),
      receipt: body.receipt ? receiptOf(body.receipt, amountMinor) : null,
      cancellation: null,
      card: { last4: '0004', card_type: 'Mir' },
    };
    this.payments.set(payment.id, payment);
    return payment;
  }

  /** A shop's payment as it stands by the clock: a page ends after an hour, and nobody is told. */
  payment(shopId: string | null, id: string): Payment {
    const payment = this.payments.get(id);
    if (!payment || (shopId !== null && payment.shopId !== shopId)) {
      throw new Refused(
        404,
        'not_found',
        'Incorrect payment_id. Payment doesn’t exist',
        'payment_id',
      );
    }
    const nowMs = this.clock().getTime();
    if (payment.status === 'pending' && nowMs >= payment.createdAtMs + PAGE_MS) {
      end(payment, 'yoo_money', 'expired_on_confirmation');
    }
    const { expiresAtMs } = payment;
    const isHeld = payment.status === 'waiting_for_capture' && !payment.isOrdered;
    if (isHeld && expiresAtMs !== null && nowMs >= expiresAtMs) {
      end(payment, 'yoo_money', 'expired_on_capture');
      this.tell(payment, 'payment.canceled');
    }
    return payment;
  }

  /** The buyer pays at the page. */
  pay(id: string): Payment {
    const payment = this.payment(null, id);
    if (payment.status !== 'pending') throw new Error(`the payment is ${payment.status}`);
    payment.status = payment.wantsCapture ? 'waiting_for_capture' : 'succeeded';
    payment.expiresAtMs = this.clock().getTime() + HELD_MS;
    this.tell(payment, `payment.${payment.status}`);
    return payment;
  }

  /** The buyer's bank refuses, for a reason by YooKassa's list. */
  decline(id: string, reason = 'insufficient_funds'): Payment {
    const payment = this.payment(null, id);
    if (payment.status !== 'pending') throw new Error(`the payment is ${payment.status}`);
    end(payment, 'payment_network', reason);
    this.tell(payment, 'payment.canceled');
    return payment;
  }

  capture(shop: Shop, id: string, body: Record<string, unknown>): Payment {
    const payment = this.payment(shop.id, id);
    if (payment.status !== 'waiting_for_capture') throw invalid(`Payment is ${payment.status}`);
    const amountMinor = body.amount ? minorOf(body.amount, 'amount') : payment.amountMinor;
    if (amountMinor > payment.amountMinor) throw invalid('Amount is too big', 'amount');
    if (shop.sendsReceipts && amountMinor < payment.amountMinor && !body.receipt) {
      throw invalid('Receipt is missing or illegal', 'receipt');
    }
    payment.amountMinor = amountMinor;
    payment.isOrdered = true;
    if (this.captures === 'at once') this.carryOut(id);
    return payment;
  }

  /** An ordered capture is carried out. */
  carryOut(id: string): void {
    const payment = this.payment(null, id);
    payment.status = 'succeeded';
    this.tell(payment, 'payment.succeeded');
  }

  cancel(shop: Shop, id: string): Payment {
    const payment = this.payment(shop.id, id);
    if (payment.status !== 'waiting_for_capture' || payment.isOrdered) {
      throw invalid(`Payment is ${payment.status}`);
    }
    end(payment, 'merchant', 'canceled_by_merchant');
    this.tell(payment, 'payment.canceled');
    return payment;
  }

  refund(shop: Shop, body: Record<string, unknown>): Refund {
    const payment = this.payment(shop.id, String(body.payment_id));
    if (payment.status !== 'succeeded') throw invalid(`Payment is ${payment.status}`, 'payment_id');
    const amountMinor = minorOf(body.amount, 'amount');
    const underWay = [...this.refunds.values()]
      .filter((each) => each.paymentId === payment.id && each.status === 'pending')
      .reduce((sum, each) => sum + each.amountMinor, 0n);
    if (payment.refundedMinor + underWay + amountMinor > payment.amountMinor) {
      throw invalid('Refund amount is greater than the payment’s', 'amount');
    }
    const isWhole = amountMinor === payment.amountMinor;
    if (payment.receipt && !isWhole && !body.receipt) {
      throw invalid('Receipt is missing or illegal', 'receipt');
    }
    const refund: Refund = {
      shopId: shop.id,
      id: newId(),
      paymentId: payment.id,
      status: 'pending',
      amountMinor,
      createdAtMs: this.clock().getTime(),
      description: body.description === undefined ? null : String(body.description),
      metadata: metadataOf(body.metadata),
      receipt: body.receipt ? receiptOf(body.receipt, amountMinor) : null,
      reason: null,
    };
    this.refunds.set(refund.id, refund);
    if (this.refundsBecome !== 'pending') this.endRefund(refund.id, this.refundsBecome);
    return refund;
  }

  /** A pending refund ends; only a successful one is told. */
  endRefund(id: string, status: 'succeeded' | 'canceled', reason = 'insufficient_funds'): void {
    const refund = this.refundOf(null, id);
    refund.status = status;
    if (status === 'canceled') {
      refund.reason = reason;
      return;
    }
    this.payment(null, refund.paymentId).refundedMinor += refund.amountMinor;
    const object = refundObject(refund);
    this.news.push({ shopId: refund.shopId, event: 'refund.succeeded', object });
  }

  refundOf(shopId: string | null, id: string): Refund {
    const refund = this.refunds.get(id);
    if (refund && (shopId === null || refund.shopId === shopId)) return refund;
    throw new Refused(404, 'not_found', 'Incorrect refund_id. Refund doesn’t exist', 'refund_id');
  }

  private tell(payment: Payment, event: string): void {
    this.news.push({
      shopId: payment.shopId,
      event,
      object: paymentObject(payment, { pageUrl: '', isTest: true }),
    });
  }
}

function end(payment: Payment, party: string, reason: string): void {
  payment.status = 'canceled';
  payment.cancellation = { party, reason };
}
