import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from '../callbacks/schedule.ts';
import type { Random } from './random.ts';
import { type CallbackAttemptSeed, type InvoiceSeed, iso, type SeedRows } from './rows.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

type Answer = Pick<CallbackAttemptSeed, 'http_status' | 'reason' | 'answer'>;

const ACCEPTED: Answer = { http_status: 200, reason: null, answer: '{"success":true}' };

// The reasons are, word for word, those of real attempts.
const FAILURES: Record<string, Answer & { slow?: boolean }> = {
  busy: {
    http_status: 503,
    reason: 'answered 503, not 200',
    answer: '<html><body><h1>503 Service Unavailable</h1></body></html>',
  },
  broken: {
    http_status: 500,
    reason: 'answered 500, not 200',
    answer: '{"error":"could not obtain lock on row in relation \\"orders\\""}',
  },
  slow: { http_status: null, reason: 'no complete answer within 10 s', answer: null, slow: true },
  refused: { http_status: null, reason: 'connection refused', answer: null },
  unsaid: {
    http_status: 200,
    reason: '200, but `success` was not true',
    answer: '{"success":false,"message":"order is locked"}',
  },
};
const OFTEN = { busy: 40, broken: 25, slow: 18, refused: 12, unsaid: 5 };

/** The shop's servers are down for a while: how long before now each outage begins and ends. */
const OUTAGES = [
  { of: 'shop.example', fromMs: 12 * DAY_MS + 5 * HOUR_MS, untilMs: 12 * DAY_MS + 2.5 * HOUR_MS },
  { of: 'pos.shop.example', fromMs: 40 * HOUR_MS, untilMs: 32 * HOUR_MS },
];

/** How many attempts fail before one is accepted, apart from outages. */
const FAILED_FIRST = { '0': 9_450, '1': 260, '2': 110, '3': 45, '4': 25, '99': 110 };

type Told = Omit<CallbackAttemptSeed, 'invoice_id' | 'number' | 'trigger'>;

function attemptAt(startMs: number, answer: Answer & { slow?: boolean }, random: Random): Told {
  const { slow, ...seen } = answer;
  const durationMs = slow ? 10_000 + random.int(0, 9) : Math.round(random.skewed(95, 0.6));
  return {
    started_at: iso(startMs),
    duration_ms: durationMs,
    delivered: answer.reason === null,
    ...seen,
  };
}

type Ended = { state: 'delivered' | 'exhausted'; attempts: Told[] };

/** The attempts of our schedule up to now; null if more are to come. */
function attemptsOf(url: string, dueMs: number, nowMs: number, random: Random): Ended | null {
  const failures = Number(random.weighted(FAILED_FIRST));
  const outage = OUTAGES.find(({ of }) => of === new URL(url).host);
  const isDown = (atMs: number) =>
    outage !== undefined && atMs >= nowMs - outage.fromMs && atMs < nowMs - outage.untilMs;
  const usual = random.weighted(OFTEN);
  const attempts: Told[] = [];
  let startMs = dueMs + random.int(3, 40);
  for (let made = 0; made < MAX_ATTEMPTS && startMs < nowMs; made++) {
    const fails = isDown(startMs) || made < failures;
    const failure = FAILURES[isDown(startMs) ? 'refused' : usual] ?? ACCEPTED;
    const attempt = attemptAt(startMs, fails ? failure : ACCEPTED, random);
    attempts.push(attempt);
    if (attempt.delivered) return { state: 'delivered', attempts };
    const delayMs = RETRY_DELAYS_MS[made] ?? 0;
    startMs += attempt.duration_ms + Math.round(delayMs * (1 + 0.1 * random.next()));
  }
  return attempts.length === MAX_ATTEMPTS ? { state: 'exhausted', attempts } : null;
}

/**
 * Makes the result of a final invoice's notification. None is left waiting for its next attempt: it
 * would have to be made, or its time would be false. The shop accepted such a notification at once.
 */
export function tellCallback(
  rows: SeedRows,
  invoice: InvoiceSeed,
  { changedMs, nowMs }: { changedMs: number; nowMs: number },
  random: Random,
): void {
  let { state, attempts } = attemptsOf(invoice.callback_url, changedMs, nowMs, random) ?? {
    state: 'delivered' as const,
    attempts: [attemptAt(changedMs + random.int(3, 40), ACCEPTED, random)],
  };
  const triggers: CallbackAttemptSeed['trigger'][] = attempts.map(() => 'schedule');
  const lastMs = Date.parse(attempts.at(-1)?.started_at ?? iso(changedMs));
  const resentMs = lastMs + random.int(HOUR_MS, 2 * DAY_MS);
  if (state === 'exhausted' && resentMs < nowMs && random.chance(0.45)) {
    rows.audit.push({ at: iso(resentMs), action: 'callback.resend', target_id: invoice.id });
    attempts = [...attempts, attemptAt(resentMs + random.int(5, 60), ACCEPTED, random)];
    triggers.push('resend');
    state = 'delivered';
  }
  const last = attempts.at(-1);
  const endedMs = last ? Date.parse(last.started_at) + last.duration_ms : changedMs;
  rows.callbacks.push({
    invoice_id: invoice.id,
    state,
    attempt_count: attempts.length,
    extra_attempts: triggers.filter((trigger) => trigger === 'resend').length,
    next_attempt_at: iso(endedMs),
    delivered_at: state === 'delivered' ? iso(endedMs) : null,
    last_reason: last?.reason ?? null,
    last_http_status: last?.http_status ?? null,
  });
  for (const [index, attempt] of attempts.entries()) {
    const trigger = triggers[index] ?? 'schedule';
    rows.callbackAttempts.push({ ...attempt, invoice_id: invoice.id, number: index + 1, trigger });
  }
}
