import { newId } from '../lib/ids.ts';
import type { Random } from './random.ts';
import { type InvoiceSeed, iso, type RefundSeed, type SeedRows } from './rows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How often a refund is the whole, a part, or two parts. */
const SIZES = { whole: 60, part: 32, parts: 8 };

const REASONS = [
  'Returned by the buyer',
  'Arrived damaged',
  'Out of stock',
  'Ordered twice',
  'Delivery was late',
];
const FAILURES = ['expired_or_canceled_card', 'insufficient_funds', 'declined'];

type Story = { paidMs: number; nowMs: number; staffId: string | null };

/** A part that leaves something: between a tenth and two fifths. */
const partOf = (amountMinor: number, random: Random): number =>
  Math.max(1, Math.floor((amountMinor * random.int(10, 40)) / 100));

function amountsOf({ amount_minor: whole }: InvoiceSeed, random: Random): number[] {
  const size = random.weighted(SIZES);
  if (size === 'whole' || whole < 10) return [whole];
  return Array.from({ length: size === 'part' ? 1 : 2 }, () => partOf(whole, random));
}

function authorOf(
  { request_id: key }: InvoiceSeed,
  nth: number,
  { staffId }: Story,
  random: Random,
): Pick<RefundSeed, 'refund_transaction_id' | 'actor_type' | 'actor_id' | 'request_id'> {
  const name = `${key}-refund-${nth}`;
  if (staffId === null || random.chance(0.6)) {
    const by = { actor_type: 'api', actor_id: null, request_id: name } as const;
    return { refund_transaction_id: name, ...by };
  }
  const by = { actor_type: 'staff', actor_id: staffId, request_id: null } as const;
  return { refund_transaction_id: `form-${name}`, ...by };
}

/**
 * Makes the refunds of a paid invoice, if it has any: days after its payment, and all before now.
 * The acquirer's books get each, and its ledger those that did not fail.
 */
export function tellRefunds(
  rows: SeedRows,
  invoice: InvoiceSeed,
  story: Story,
  random: Random,
): void {
  if (!random.chance(0.06)) return;
  const { capture_attempt_id: attemptId, extra_data: extraData } = invoice;
  if (attemptId === null || extraData === null) return;
  const { transaction_id: authorisationId } = JSON.parse(extraData) as { transaction_id: string };
  let atMs = story.paidMs;
  for (const [index, amountMinor] of amountsOf(invoice, random).entries()) {
    atMs = Math.floor(atMs + 10 * MINUTE_MS + random.skewed(2 * DAY_MS, 1));
    const author = authorOf(invoice, index + 1, story, random);
    const status = random.chance(0.07) ? ('FAILED' as const) : 'SUCCEEDED';
    const refund: RefundSeed = {
      id: newId('ref', atMs),
      invoice_id: invoice.id,
      attempt_id: attemptId,
      authorisation_id: authorisationId,
      ...author,
      amount_minor: amountMinor,
      currency: invoice.currency,
      status,
      reason: random.chance(0.7) ? random.pick(REASONS) : null,
      failure_reason: status === 'FAILED' ? random.pick(FAILURES) : null,
      created_at: iso(atMs),
      updated_at: iso(atMs + random.int(150, 900)),
    };
    if (atMs >= story.nowMs - MINUTE_MS) return;
    rows.refunds.push(refund);
    if (status === 'SUCCEEDED') invoice.refunded_minor += amountMinor;
    if (refund.actor_type !== 'staff') continue;
    const { id, amount_minor: amount, currency } = refund;
    const details = { refund: id, amount, currency };
    rows.audit.push({
      ...{ at: refund.created_at, action: 'refund.create', target_id: invoice.id },
      details,
    });
  }
}
