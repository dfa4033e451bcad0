import type { Pool } from 'pg';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import type { Actor, Invoice, InvoiceStatus } from '../invoices/types.ts';
import { addressKey } from '../lib/address-key.ts';
import { newId } from '../lib/ids.ts';
import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import { processWide } from '../lib/process-wide.ts';
import { withTimeout } from '../lib/timeout.ts';
import { tellRefusal } from '../observability/refusals.ts';
import { advance, type PaymentContext } from './advance.ts';
import { brandOf } from './brand.ts';
import { nextTryAtMs, throttledUntilMs } from './card-testing.ts';
import { demandRightClock, paymentContext } from './context.ts';
import { findAttempt, listAttempts } from './data.ts';
import { type NewAttempt, openAttempt } from './mutations.ts';
import { providerNameOf } from './providers/registry.ts';
import { isAtWork } from './state.ts';
import type { Card, PaymentAttempt } from './types.ts';

export type PayOutcome =
  /** The attempt as it stands: captured, declined, challenge, voided, or still at work. */
  | { outcome: 'attempted'; attempt: PaymentAttempt }
  | { outcome: 'not_found' }
  | { outcome: 'final'; status: Exclude<InvoiceStatus, 'PENDING'> }
  /** Another attempt (a second tab, a double click) is at work. */
  | { outcome: 'in_progress' }
  /** The invoice takes no more attempts, for now or for good. */
  | { outcome: 'too_many_attempts' }
  /** Too many attempts from the buyer's address were declined. */
  | { outcome: 'throttled'; waitMs: number }
  /** The environment has no acquirer. */
  | { outcome: 'unavailable' };

export type PayOptions = {
  clock: () => Date;
  actor: Actor;
  /**
   * The buyer's network address, for the limits against card testing. A merchant's own tests have
   * none, and their many declines slow no buyer down.
   */
  address?: string;
  /** How long to wait for the acquirer before answering that it is still at work. */
  waitMs: number;
  /** Receives a failure that comes after the answer; recovery finishes the attempt. */
  onLateError: (error: unknown) => void;
};

/**
 * One attempt of an address opens at a time: each counts those before it. A longer queue than any
 * crowd of buyers makes is refused, and the next caller is told to come again a little later.
 */
const openingFrom = processWide(
  'payments opening from',
  () => new KeyedSemaphore({ atWork: 1, waiting: 100 }),
);
const LITTLE_LATER_MS = 60_000;

/**
 * One attempt of an invoice opens at a time: while its row is locked, each would wait with a
 * connection, and the others get the answer that the opened one would give them.
 */
const opening = processWide(
  'payments opening',
  () => new KeyedSemaphore({ atWork: 1, waiting: 0 }),
);

const background = processWide('payments', () => new Set<Promise<unknown>>());

/** Resolves when this process has no payment under way: for a clean shutdown. */
export async function paymentsSettled(): Promise<void> {
  await Promise.allSettled([...background]);
}

async function withinWait(
  work: Promise<PaymentAttempt>,
  attemptId: string,
  { db }: PaymentContext,
  { waitMs, onLateError }: PayOptions,
): Promise<PaymentAttempt | null> {
  const settled = work.then(
    (attempt) => attempt,
    (error: unknown) => {
      onLateError(error);
      return null;
    },
  );
  background.add(settled);
  void settled.finally(() => background.delete(settled));
  const attempt = await withTimeout(waitMs, settled).catch(() => null);
  return attempt ?? findAttempt(db, attemptId);
}

type Refused = { now: Date; throttledUntilMs: number | null };

async function whyNotOpened(
  db: Pool,
  invoiceId: string,
  { now, throttledUntilMs: untilMs }: Refused,
): Promise<PayOutcome> {
  const invoice = await readInvoiceForBuyer(db, invoiceId, { now });
  if (!invoice) return { outcome: 'not_found' };
  if (invoice.status !== 'PENDING') return { outcome: 'final', status: invoice.status };
  const attempts = await listAttempts(db, invoiceId);
  const busy = invoice.captureAttemptId !== null || attempts.some(({ status }) => isAtWork(status));
  if (!busy && nextTryAtMs(attempts, now)) return { outcome: 'too_many_attempts' };
  if (!busy && untilMs !== null) return { outcome: 'throttled', waitMs: untilMs - now.getTime() };
  return { outcome: 'in_progress' };
}

/** Opens an attempt, unless too many from its address were declined. @returns why it was not, or null */
async function open(
  db: Pool,
  attempt: NewAttempt,
  { invoice, now }: { invoice: Invoice; now: Date },
): Promise<PayOutcome | null> {
  const { addressKey: from } = attempt;
  const untilMs = from ? await throttledUntilMs(db, { ...invoice, addressKey: from }, now) : null;
  if (untilMs === null && (await openAttempt(db, attempt, now))) return null;
  return await whyNotOpened(db, invoice.id, { now, throttledUntilMs: untilMs });
}

/** Opens an attempt in its turn. */
async function openInTurn(...given: Parameters<typeof open>): Promise<PayOutcome | null> {
  const [, { invoiceId, addressKey: from }] = given;
  const release = await opening.acquire(invoiceId);
  if (!release) return { outcome: 'in_progress' };
  const leave = from ? await openingFrom.acquire(from) : release;
  try {
    if (!leave) return { outcome: 'throttled', waitMs: LITTLE_LATER_MS };
    return await open(...given);
  } finally {
    leave?.();
    release();
  }
}

function tellOfThrottled(
  { id: invoiceId, merchantId, environment }: Invoice,
  { address, actor: { requestId } }: PayOptions,
): void {
  const about = { invoiceId, merchantId, environment };
  tellRefusal({ what: 'payment', outcome: 'throttled', address, requestId, about });
}

/**
 * Pays an invoice with a card: authorise, claim, capture, PAID; or void.
 *
 * At most one attempt for an invoice is at work, and only the holder of the claim captures, so two
 * tabs, a double click or a reload charge at most once. `recoverPayments` finishes the attempt
 * after a crash at any point. If the acquirer takes longer than `waitMs`, the attempt goes on
 * without its caller.
 *
 * @throws GatewayError `unavailable`, with nothing begun, where this process's clock is wrong
 */
export async function payInvoice(
  db: Pool,
  invoiceId: string,
  card: Card,
  options: PayOptions,
): Promise<PayOutcome> {
  const now = options.clock();
  const invoice = await readInvoiceForBuyer(db, invoiceId, { now });
  if (!invoice) return { outcome: 'not_found' };
  if (invoice.status !== 'PENDING') return { outcome: 'final', status: invoice.status };
  const provider = providerNameOf(invoice.environment);
  if (!provider) return { outcome: 'unavailable' };
  await demandRightClock(db);

  const attemptId = newId('pay', now.getTime());
  const shown = { cardBrand: brandOf(card.number), cardLast4: card.number.slice(-4) };
  const from = options.address === undefined ? undefined : addressKey(options.address);
  const begun = { id: attemptId, invoiceId, provider, addressKey: from, ...shown };
  const refused = await openInTurn(db, begun, { invoice, now });
  if (refused?.outcome === 'throttled') tellOfThrottled(invoice, options);
  if (refused) return refused;

  const context = paymentContext(db, { ...options, provider });
  const { amountMinor, currency } = invoice;
  const returnUrl = context.returnUrl(invoiceId, attemptId);
  const work = context.provider
    .authorise({ idempotencyKey: attemptId, amountMinor, currency, card, returnUrl }, now)
    .then((answer) => advance(context, attemptId, answer));
  const attempt = await withinWait(work, attemptId, context, options);
  return attempt ? { outcome: 'attempted', attempt } : { outcome: 'in_progress' };
}
