import { newId } from '../lib/ids.ts';
import { type SandboxOutcome, TEST_CARDS } from '../payments/providers/sandbox/test-cards.ts';
import type { AttemptStatus, DeclineReason } from '../payments/types.ts';
import type { Random } from './random.ts';
import { type InvoiceSeed, iso, type SeedRows } from './rows.ts';

const DECLINES: Partial<Record<SandboxOutcome, number>> = {
  insufficient_funds: 38,
  generic_decline: 24,
  incorrect_cvc: 14,
  challenge_failed: 9,
  challenge_abandoned: 7,
  expired_card: 4,
  processing_error: 3,
  lost_card: 1,
};

const REASONS: Partial<Record<SandboxOutcome, DeclineReason>> = {
  challenge_failed: 'authentication_failed',
};

/** How a payment attempt ended: captured, refused, or approved too late and voided. */
type Ending = 'captured' | 'refused' | 'voided';

function cardFor(outcome: SandboxOutcome, random: Random) {
  const cards = TEST_CARDS.filter((card) => card.outcome === outcome);
  return random.pick(cards);
}

function outcomeFor(ending: Ending, random: Random): SandboxOutcome {
  if (ending === 'refused') return random.weighted(DECLINES as Record<SandboxOutcome, number>);
  return random.chance(0.24) ? 'challenge_approved' : 'approved';
}

const STATUSES: Record<Ending, AttemptStatus> = {
  captured: 'captured',
  refused: 'declined',
  voided: 'voided',
};

/** One payment attempt, in the gateway's table and in the acquirer's books. */
function addAttempt(
  rows: SeedRows,
  invoice: InvoiceSeed,
  { ending, endMs, earliestMs }: { ending: Ending; endMs: number; earliestMs: number },
  random: Random,
): { attemptId: string; authorisationId: string } {
  const outcome = outcomeFor(ending, random);
  const takesMs = outcome.startsWith('challenge')
    ? random.int(9_000, 70_000)
    : random.int(400, 1900);
  const startMs = Math.max(earliestMs, endMs - takesMs);
  const attemptId = newId('pay', startMs);
  const authorisationId = newId('sbx', startMs);
  const reason = ending === 'refused' ? (REASONS[outcome] ?? (outcome as DeclineReason)) : null;
  const card = cardFor(outcome, random);
  const abandoned = outcome === 'challenge_abandoned';
  const { amount_minor, currency } = invoice;
  rows.payments.push({
    id: attemptId,
    invoice_id: invoice.id,
    status: abandoned ? 'abandoned' : STATUSES[ending],
    authorisation_id: authorisationId,
    amount_minor,
    currency,
    card_brand: card.brand,
    card_last4: card.number.slice(-4),
    decline_reason: reason,
    created_at: iso(startMs),
    updated_at: iso(endMs),
  });
  rows.authorisations.push({
    id: authorisationId,
    idempotency_key: attemptId,
    amount_minor,
    currency,
    outcome,
    state: ending === 'refused' ? 'declined' : 'approved',
    decline_reason: reason,
    created_at: iso(startMs),
    answers_at: iso(startMs),
  });
  if (ending !== 'refused') {
    const entry = { authorisation_id: authorisationId, amount_minor, currency, at: iso(endMs) };
    rows.ledger.push({ ...entry, kind: 'authorisation' });
    rows.ledger.push({ ...entry, kind: ending === 'captured' ? 'capture' : 'void' });
  }
  return { attemptId, authorisationId };
}

const TRIES: Record<InvoiceSeed['status'], Record<'0' | '1' | '2' | '3', number>> = {
  PAID: { 0: 86, 1: 10, 2: 3, 3: 1 },
  EXPIRED: { 0: 58, 1: 24, 2: 12, 3: 6 },
  CANCELED: { 0: 82, 1: 12, 2: 5, 3: 1 },
  PENDING: { 0: 78, 1: 14, 2: 6, 3: 2 },
};

/**
 * The attempts on an invoice between its creation and `untilMs`: its payment, its end or, if it is
 * pending, now. A paid one gets its capture, and with it the contents of its callback.
 */
export function tellPayments(
  rows: SeedRows,
  invoice: InvoiceSeed,
  span: { createdMs: number; untilMs: number; publicUrl: string },
  random: Random,
): void {
  const { createdMs, untilMs } = span;
  const roomMs = Math.min(untilMs - createdMs, 30 * 60_000);
  const tries = Number(random.weighted(TRIES[invoice.status]));
  let earliestMs = createdMs;
  for (let i = 1; i <= tries; i++) {
    const endMs = createdMs + Math.floor((roomMs * i) / (tries + 1));
    // The acquirer's request and answer fit into this attempt's time.
    if (endMs - earliestMs < 3) continue;
    addAttempt(rows, invoice, { ending: 'refused', endMs, earliestMs }, random);
    earliestMs = endMs + 1;
  }
  if (invoice.status === 'PAID') {
    const paid = { ending: 'captured' as const, endMs: untilMs, earliestMs };
    const { attemptId, authorisationId } = addAttempt(rows, invoice, paid, random);
    invoice.capture_attempt_id = attemptId;
    invoice.extra_data = JSON.stringify({
      provider: 'sandbox',
      transaction_id: authorisationId,
      receipt_url: `${span.publicUrl}/pay/${invoice.id}/receipt`,
    });
  } else if (invoice.status === 'CANCELED' && random.chance(0.01)) {
    addAttempt(rows, invoice, { ending: 'voided', endMs: untilMs, earliestMs }, random);
  }
}
