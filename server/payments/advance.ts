import type { Pool } from 'pg';
import { inTransaction } from '../db/pool.ts';
import { settleInvoice } from '../invoices/settle.ts';
import type { Actor } from '../invoices/types.ts';
import { isLoopbackUrl } from '../lib/formats.ts';
import { LruMap } from '../lib/lru-map.ts';
import { processWide } from '../lib/process-wide.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { findAttempt, findHolder } from './data.ts';
import {
  bareSettlement,
  claimCapture,
  giveUpChallenge,
  holdCapture,
  markCaptured,
  markChallenge,
  markDeclined,
  markVoided,
  releaseClaim,
  voidLate,
} from './mutations.ts';
import type { AskedProvider, Authorisation } from './provider.ts';
import { setRecheck } from './rechecks.ts';
import { nextPoll } from './timing.ts';
import type { AttemptStatus, PaymentAttempt } from './types.ts';

/** The needs of every step of a payment. */
export type PaymentContext = {
  db: Pool;
  provider: AskedProvider;
  clock: () => Date;
  /** The address of a paid invoice's receipt. */
  receiptUrl: (invoiceId: string) => string;
  /** The address to which the buyer comes back after a challenge. */
  returnUrl: (invoiceId: string, attemptId: string) => string;
  actor: Actor;
  /** How long a buyer may take elsewhere; the default is the time for 3-D Secure. */
  pageLifeMs?: number;
};

const ONE_AT_WORK = 'payment_attempts_one_at_work';
const ONE_HOLDER = 'payment_attempts_one_holder';

const isRefusedBy = (index: string, error: unknown): boolean =>
  (error as { constraint?: string }).constraint === index;

async function current(context: PaymentContext, attemptId: string): Promise<PaymentAttempt> {
  const attempt = await findAttempt(context.db, attemptId);
  if (!attempt) throw new Error(`payment attempt ${attemptId} is gone`);
  return attempt;
}

/** The acquirer's id of the money: every way into `capturing` and `voiding` has written it. */
function authorisationOf({ id, status, authorisationId }: PaymentAttempt): string {
  if (!authorisationId) throw new Error(`${id} is ${status} without an authorisation`);
  return authorisationId;
}

/**
 * capturing → captured and PAID. The capture is idempotent, so recovery can come here again after a
 * crash at any line; PAID is written only after the capture.
 */
export async function capture(
  context: PaymentContext,
  attempt: PaymentAttempt,
): Promise<PaymentAttempt> {
  const { db, provider, clock } = context;
  const authorisationId = authorisationOf(attempt);
  const { amountMinor, currency } = attempt;
  const answer = await provider.capture({ authorisationId, amountMinor, currency }, clock());
  if (answer.state === 'pending') {
    await holdCapture(db, attempt.id, clock());
    return current(context, attempt.id);
  }
  if (answer.state === 'refused') {
    await releaseClaim(db, attempt.id, clock());
    return voidAuthorisation(context, await current(context, attempt.id));
  }
  const { settlement = bareSettlement(authorisationId) } = answer;
  const isPaid = await inTransaction(db, async (client) => {
    const now = clock();
    const payment = {
      invoiceId: attempt.invoiceId,
      attemptId: attempt.id,
      extraData: {
        provider: provider.name,
        transaction_id: settlement.transactionId,
        receipt_url: settlement.receiptUrl ?? context.receiptUrl(attempt.invoiceId),
        ...(attempt.accountId === null ? {} : { account_id: attempt.accountId }),
      },
    };
    const captured = await markCaptured(client, attempt.id, settlement, now);
    const settled = await settleInvoice(client, payment, { actor: context.actor, now });
    // A capture without PAID would be money that no invoice knows of, so it must be loud.
    if (captured && !settled)
      throw new Error(`${attempt.invoiceId} was captured but is not payable`);
    return captured;
  });
  if (isPaid) metrics().payments.inc({ outcome: 'paid' });
  const after = await current(context, attempt.id);
  if (after.status === 'captured') return after;
  // Another process was refused: one of the two answers is wrong. Another void returns money that
  // no invoice knows of, or keeps it in sight while the acquirer does not release it.
  await voidLate(db, attempt.id, { authorisationId, state: 'approved' }, clock());
  throw new Error(`${attempt.id} was captured but is ${after.status}`);
}

/** voiding → voided or abandoned: nothing was charged. */
export async function voidAuthorisation(
  context: PaymentContext,
  attempt: PaymentAttempt,
): Promise<PaymentAttempt> {
  if (attempt.status !== 'voiding') return attempt;
  await context.provider.void(authorisationOf(attempt), context.clock());
  const isVoided = await markVoided(context.db, attempt, context.clock());
  if (isVoided) metrics().payments.inc({ outcome: 'voided' });
  return current(context, attempt.id);
}

/** Whether the acquirer holds the requested sum: another sum is given back, and is loud. */
async function isWhole(
  context: PaymentContext,
  attemptId: string,
  held: { amountMinor: bigint; currency: string },
): Promise<boolean> {
  const { amountMinor, currency } = await current(context, attemptId);
  if (held.amountMinor === amountMinor && held.currency === currency) return true;
  const asked = `${amountMinor} ${currency}`;
  const there = `${held.amountMinor} ${held.currency}`;
  log().error({ attemptId, asked, there }, 'the acquirer holds another sum than was asked for');
  return false;
}

/**
 * Claims the capture for an approved authorisation. If the attempt no longer waits for this answer
 * (it was given up as lost, or its challenge superseded), the authorisation would stay open at the
 * acquirer: it is voided.
 */
async function approved(
  context: PaymentContext,
  attemptId: string,
  answer: Extract<Authorisation, { state: 'approved' }>,
): Promise<PaymentAttempt> {
  if (answer.held && !(await isWhole(context, attemptId, answer.held))) {
    await giveUpChallenge(context.db, attemptId, context.clock());
    return voidAuthorisation(context, await current(context, attemptId));
  }
  const claim = await tryClaim(context, attemptId, answer.authorisationId);
  if (claim === 'capturing') return capture(context, await current(context, attemptId));
  if (!claim) await voidLate(context.db, attemptId, answer, context.clock());
  return voidAuthorisation(context, await current(context, attemptId));
}

async function tryClaim(
  context: PaymentContext,
  attemptId: string,
  authorisationId: string,
): Promise<'capturing' | 'voiding' | null> {
  try {
    return await claimCapture(context.db, attemptId, authorisationId, context.clock());
  } catch (error) {
    if (!isRefusedBy(ONE_AT_WORK, error)) throw error;
    // Another attempt for the invoice is at work, and only one may be. This attempt waits unchanged
    // and is taken up again soon.
    const attempt = await current(context, attemptId);
    await setRecheck(context.db, attempt, 'soon', context.clock());
    return null;
  }
}

/**
 * authorising → challenge. A challenge without a usable address is loud, and given up in its time;
 * a challenge of an attempt that was given up as lost is withdrawn.
 */
async function challenged(
  context: PaymentContext,
  attemptId: string,
  answer: Extract<Authorisation, { state: 'challenge' }>,
): Promise<PaymentAttempt> {
  const { db, provider, clock } = context;
  const { authorisationId, url } = answer;
  const { invoiceId, accountId, createdAtMs } = await current(context, attemptId);
  const challengeUrl = url && challengeUrlOf(url, context.returnUrl(invoiceId, attemptId));
  const now = clock();
  const polled = accountId === null ? {} : { lookAt: nextPoll({ createdAtMs }, now) };
  const challenge = { authorisationId, challengeUrl, ...polled };
  if (!(await markChallenge(db, attemptId, challenge, now))) {
    await voidLate(db, attemptId, answer, clock());
    return voidAuthorisation(context, await current(context, attemptId));
  }
  if (url && !challengeUrl) throw new Error(`${provider.name} sends a buyer to what is not https`);
  return current(context, attemptId);
}

/** The ends after which only an answer of the acquirer can show money. */
const HOLDS_NOTHING: ReadonlySet<AttemptStatus> = new Set(['declined', 'failed', 'abandoned']);

/** The doubly held authorisations already logged, by attempt: each webhook leads here again. */
const toldSeconds = processWide('second-holders', () => new LruMap<string, true>(1_000));

/**
 * The acquirer gave this attempt the authorisation of another, which alone captures or voids it.
 * This attempt is declined, or keeps the end that it had. Each process logs it once.
 */
async function endSecond(
  context: PaymentContext,
  attemptId: string,
  authorisationId: string,
): Promise<PaymentAttempt> {
  const { db, clock } = context;
  const attempt = await current(context, attemptId);
  const told = `${attemptId} ${authorisationId}`;
  if (!toldSeconds.get(told)) {
    const holderId = await findHolder(db, attempt, authorisationId);
    log().error(
      { attemptId, holderId, authorisationId, provider: attempt.provider },
      'the acquirer gave one authorisation to two payment attempts: the second takes no money and voids nothing',
    );
    toldSeconds.set(told, true);
  }
  const decline = { reason: 'processing_error', authorisationId } as const;
  if (await markDeclined(db, attemptId, decline, clock())) {
    metrics().payments.inc({ outcome: 'declined' });
  } else if (HOLDS_NOTHING.has(attempt.status)) {
    await setRecheck(db, attempt, 'never', clock());
  }
  return current(context, attemptId);
}

async function follow(
  context: PaymentContext,
  attemptId: string,
  answer: Authorisation,
): Promise<PaymentAttempt> {
  const { db, clock } = context;
  switch (answer.state) {
    case 'pending':
      break;
    case 'approved':
      return approved(context, attemptId, answer);
    case 'challenge':
      return challenged(context, attemptId, answer);
    case 'declined':
      if (await markDeclined(db, attemptId, answer, clock())) {
        metrics().payments.inc({ outcome: 'declined' });
      }
      break;
  }
  return current(context, attemptId);
}

/** Takes an attempt one answer of the provider further, to its end if possible. */
export async function advance(
  context: PaymentContext,
  attemptId: string,
  answer: Authorisation,
): Promise<PaymentAttempt> {
  try {
    return await follow(context, attemptId, answer);
  } catch (error) {
    const isHeld = isRefusedBy(ONE_HOLDER, error);
    if (!isHeld || answer.state === 'pending' || !answer.authorisationId) throw error;
    return endSecond(context, attemptId, answer.authorisationId);
  }
}

/**
 * The address of a challenge, made absolute.
 *
 * @param url as the acquirer gave it; relative where it is a page of ours
 * @param returnUrl the address to which the buyer comes back
 * @returns null for an address that is neither https, nor a page of ours, nor beside a gateway on
 *   its reader's own machine: no buyer is sent there
 */
export function challengeUrlOf(url: string, returnUrl: string): string | null {
  if (!URL.canParse(url, returnUrl)) return null;
  const address = new URL(url, returnUrl);
  const isOurs = address.origin === new URL(returnUrl).origin;
  const isHere = isLoopbackUrl(address.href) && isLoopbackUrl(returnUrl);
  return isOurs || isHere || address.protocol === 'https:' ? address.href : null;
}
