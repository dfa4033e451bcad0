import type { InvoiceStatus } from '../invoices/types.ts';
import { newId } from '../lib/ids.ts';
import { tellCallback } from './callback-story.ts';
import { fillBasket } from './goods.ts';
import { tellPayments } from './payment-story.ts';
import type { Random } from './random.ts';
import { tellRefunds } from './refund-story.ts';
import { type EventSeed, type InvoiceSeed, iso, type SeedRows } from './rows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ENDINGS = { PAID: 715, EXPIRED: 185, CANCELED: 100 };
const VALID_FOR_MS = { [HOUR_MS]: 35, [DAY_MS]: 50, [3 * DAY_MS]: 15 };
/** The shop's addresses can never exist (RFC 2606): nothing that a demo sends reaches anybody. */
const SHOP = 'https://shop.example';

export type StoryContext = {
  /** Begins every transaction id and request id, so that a seed can be recognised. */
  tag: string;
  nowMs: number;
  publicUrl: string;
  /** The member of staff who acts; null when the merchant has none. */
  staffId: string | null;
};

type Life = { status: InvoiceStatus; endMs: number; changedMs: number };

/**
 * How an invoice ends, if there is time for it before now and a minute more for the merchant's
 * notification; otherwise it stays pending.
 */
function lifeOf(createdMs: number, nowMs: number, random: Random): Life {
  const wanted = random.weighted(ENDINGS);
  const validMs = Number(random.weighted(VALID_FOR_MS));
  const endMs = createdMs + validMs;
  const took = {
    PAID: () => Math.min(random.skewed(2.4 * MINUTE_MS, 1.1) + 8_000, validMs * 0.95),
    EXPIRED: () => validMs + random.int(20, 990),
    CANCELED: () => Math.min(random.skewed(25 * MINUTE_MS, 1), validMs * 0.9),
  };
  const changedMs = Math.floor(createdMs + took[wanted]());
  if (changedMs < nowMs - MINUTE_MS) return { status: wanted, endMs, changedMs };
  // Payable for years: an expiring invoice would notify its shop, and nothing here is ever sent.
  const farMs = nowMs + random.int(730, 1_095) * DAY_MS;
  return { status: 'PENDING', endMs: farMs, changedMs: createdMs };
}

function eventOf(invoice: InvoiceSeed, context: StoryContext, random: Random): EventSeed {
  const event = {
    invoice_id: invoice.id,
    to_status: invoice.status,
    at: invoice.status_changed_at,
    actor_id: null,
    request_id: null,
  };
  if (invoice.status === 'PAID') return { ...event, actor_type: 'buyer' };
  if (invoice.status === 'EXPIRED') return { ...event, actor_type: 'clock' };
  if (context.staffId !== null && random.chance(0.25)) {
    return { ...event, actor_type: 'staff', actor_id: context.staffId };
  }
  return { ...event, actor_type: 'api', request_id: `${invoice.request_id}-cancel` };
}

/** One invoice from its creation on, with all of its rows in every table. */
export function tellInvoice(
  rows: SeedRows,
  { number, createdMs }: { number: number; createdMs: number },
  context: StoryContext,
  random: Random,
): void {
  const { nowMs, tag, publicUrl } = context;
  const { status, endMs, changedMs } = lifeOf(createdMs, nowMs, random);
  const basket = fillBasket(random, 10_000 + number);
  const key = `${tag}${String(number).padStart(7, '0')}`;
  const invoice: InvoiceSeed = {
    id: newId('inv', createdMs),
    merchant_transaction_id: key,
    status,
    amount_minor: basket.amountMinor,
    currency: basket.currency,
    description: basket.description,
    positions: basket.positions,
    merchant_data: random.chance(0.6)
      ? JSON.stringify({ order: 10_000 + number, channel: random.pick(['web', 'app', 'phone']) })
      : null,
    success_url: `${SHOP}/thanks`,
    error_url: `${SHOP}/cart`,
    callback_url: random.chance(0.8) ? `${SHOP}/callbacks` : 'https://pos.shop.example/paid',
    end_date: iso(endMs),
    created_at: iso(createdMs),
    status_changed_at: iso(changedMs),
    capture_attempt_id: null,
    extra_data: null,
    refunded_minor: 0,
    request_id: key,
  };
  const untilMs = status === 'PENDING' ? nowMs : changedMs;
  tellPayments(rows, invoice, { createdMs, untilMs, publicUrl }, random);
  rows.invoices.push(invoice);
  if (status === 'PENDING') return;
  const event = eventOf(invoice, context, random);
  rows.events.push(event);
  if (event.actor_type === 'staff') {
    rows.audit.push({ at: event.at, action: 'invoice.cancel', target_id: invoice.id });
  }
  tellCallback(rows, invoice, { changedMs, nowMs }, random);
  const { staffId } = context;
  if (status === 'PAID') tellRefunds(rows, invoice, { paidMs: changedMs, nowMs, staffId }, random);
}
