import type { Queryable } from '../db/pool.ts';
import { GUARDED_END_DATE } from '../invoices/rows.ts';
import { MAX_ATTEMPTS, MAX_LIFE_ATTEMPTS, TRIES_WINDOW_MS } from './card-testing.ts';
import type { Settlement } from './provider.ts';
import { AT_WORK, sources, sqlList } from './state.ts';
import {
  AUTHORISING_LEASE_MS,
  LATE_AUTHORISATION_MS,
  later,
  MONEY_MOVING_LEASE_MS,
  NEXT_LOOK_MS,
} from './timing.ts';
import type { DeclineReason, PaymentAttempt } from './types.ts';

export type NewAttempt = Pick<
  PaymentAttempt,
  'id' | 'invoiceId' | 'provider' | 'cardBrand' | 'cardLast4'
> & {
  /** The merchant's account at the acquirer; left out for a card of our own form. */
  accountId?: string;
  /** What the acquirer is asked, as JSON; saved before it is asked. */
  startRequest?: string;
  /** The key of the buyer's network; a merchant's own test has none. */
  addressKey?: string;
};

/**
 * Opens an attempt if the invoice can be paid now and no other attempt is at work (a unique index
 * ensures that, so two tabs cannot both open one). An open challenge of this card is given up; a
 * transaction of an acquirer that calls us is not ours to give up.
 *
 * That comes before the insert (the count in FROM forces it): `claimCapture` locks the challenge's
 * row and then enters the unique index, and the other order would deadlock with it.
 * @returns whether it was opened
 */
export async function openAttempt(db: Queryable, attempt: NewAttempt, now: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'open_attempt',
    text: `
      WITH payable AS (
        SELECT i.id, i.amount_minor, i.currency, i.merchant_id, i.environment FROM invoices i
        WHERE i.id = $2 AND i.status = 'PENDING' AND ${GUARDED_END_DATE} >= $6
          AND i.capture_attempt_id IS NULL
          AND NOT EXISTS (
            SELECT FROM payment_attempts p
            WHERE p.invoice_id = $2 AND p.status IN ${sqlList(AT_WORK)})
          AND (SELECT count(*) FILTER (WHERE p.created_at > $8) < ${MAX_ATTEMPTS}
                  AND count(*) FILTER (WHERE p.status <> 'failed') < ${MAX_LIFE_ATTEMPTS}
               FROM payment_attempts p WHERE p.invoice_id = $2)
      ), superseded AS (
        UPDATE payment_attempts p
        SET status = 'voiding', decline_reason = 'challenge_abandoned', updated_at = $6, recover_at = $6
        FROM payable WHERE p.invoice_id = payable.id AND p.status IN ${sources('giveUp')}
          AND NOT EXISTS (SELECT FROM acquirer_transactions t WHERE t.attempt_id = p.id)
        RETURNING p.id
      ), opened AS (
        INSERT INTO payment_attempts
          (id, invoice_id, status, provider, amount_minor, currency, card_brand, card_last4, created_at, updated_at, recover_at, account_id, start_request)
        SELECT $1, id, 'authorising', $3, amount_minor, currency, $4, $5, $6, $6, $7, $11, $12
        FROM payable, (SELECT count(*) FROM superseded) challenges
        ON CONFLICT DO NOTHING
        RETURNING id
      ), counted AS (
        INSERT INTO buyer_tries (attempt_id, address_key, merchant_id, environment, ends_at)
        SELECT opened.id, $9::text, merchant_id, environment, $10 FROM opened, payable
        WHERE $9::text IS NOT NULL
      )
      SELECT id FROM opened`,
    values: [
      attempt.id,
      attempt.invoiceId,
      attempt.provider,
      attempt.cardBrand,
      attempt.cardLast4,
      now.toISOString(),
      later(now, AUTHORISING_LEASE_MS),
      later(now, -TRIES_WINDOW_MS),
      attempt.addressKey ?? null,
      later(now, TRIES_WINDOW_MS),
      attempt.accountId ?? null,
      attempt.startRequest ?? null,
    ],
  });
  return rowCount === 1;
}

/**
 * authorising → challenge. An address that is told only once may arrive after the answer to another
 * caller: it is then added.
 */
export async function markChallenge(
  db: Queryable,
  attemptId: string,
  challenge: { authorisationId: string; challengeUrl: string | null; lookAt?: Date },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mark_challenge',
    text: `UPDATE payment_attempts
           SET status = 'challenge', authorisation_id = $2, challenge_url = $3, updated_at = $4,
               recover_at = $5
           WHERE id = $1 AND (status IN ${sources('challenge')} OR status IN ${sources('addUrl')}
             AND authorisation_id = $2 AND challenge_url IS NULL AND $3::text IS NOT NULL)`,
    values: [
      attemptId,
      challenge.authorisationId,
      challenge.challengeUrl,
      now.toISOString(),
      challenge.lookAt?.toISOString() ?? later(now, NEXT_LOOK_MS),
    ],
  });
  return rowCount === 1;
}

/** authorising or challenge → declined, or abandoned when the buyer left the challenge. */
export async function markDeclined(
  db: Queryable,
  attemptId: string,
  decline: { reason: DeclineReason; authorisationId: string | null },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mark_declined',
    text: `UPDATE payment_attempts
           SET status = CASE WHEN $2 = 'challenge_abandoned' THEN 'abandoned' ELSE 'declined' END::attempt_status,
               decline_reason = $2, authorisation_id = coalesce($3, authorisation_id),
               updated_at = $4, recover_at = NULL
           WHERE id = $1 AND status IN ${sources('decline')}`,
    values: [attemptId, decline.reason, decline.authorisationId, now.toISOString()],
  });
  return rowCount === 1;
}

/**
 * authorising → failed: the provider never heard of it, so nothing can have been charged. One later
 * look finds an authorisation that was still on its way, which has to be voided even if the process
 * that sent it has died.
 */
export async function markFailed(db: Queryable, attemptId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mark_failed',
    text: `UPDATE payment_attempts
           SET status = 'failed', decline_reason = 'processing_error', updated_at = $2, recover_at = $3
           WHERE id = $1 AND status IN ${sources('fail')}`,
    values: [attemptId, now.toISOString(), later(now, LATE_AUTHORISATION_MS)],
  });
  return rowCount === 1;
}

/**
 * Claims the capture under the invoice's row: PENDING, not past `end_date`, no other capture in
 * flight. The attempt becomes `capturing`, or `voiding` when the claim is lost.
 *
 * It is one statement, so a claim without an attempt behind it cannot exist. The attempt is locked
 * first: of two processes that carry the same answer, one gets the row and the other none.
 * @returns the attempt's new status, or null when it was not waiting for an answer
 */
export async function claimCapture(
  db: Queryable,
  attemptId: string,
  authorisationId: string,
  now: Date,
): Promise<'capturing' | 'voiding' | null> {
  const { rows } = await db.query<{ status: 'capturing' | 'voiding' }>({
    name: 'claim_capture',
    text: `
      WITH attempt AS (
        SELECT id, invoice_id FROM payment_attempts
        WHERE id = $1 AND status IN ${sources('claim')}
        FOR UPDATE
      ), claimed AS (
        UPDATE invoices i SET capture_attempt_id = attempt.id
        FROM attempt
        WHERE i.id = attempt.invoice_id AND i.status = 'PENDING' AND ${GUARDED_END_DATE} >= $3
          AND i.capture_attempt_id IS NULL
        RETURNING i.id
      )
      UPDATE payment_attempts p
      SET status = CASE WHEN EXISTS (SELECT FROM claimed) THEN 'capturing' ELSE 'voiding' END::attempt_status,
          authorisation_id = $2, updated_at = $3, recover_at = $4
      FROM attempt WHERE p.id = attempt.id
      RETURNING p.status`,
    values: [attemptId, authorisationId, now.toISOString(), later(now, MONEY_MOVING_LEASE_MS)],
  });
  return rows[0]?.status ?? null;
}

/**
 * capturing stays: the acquirer has accepted the order. The row notes the answer, so the capture
 * does not count as a failing one.
 */
export async function holdCapture(db: Queryable, attemptId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'hold_capture',
    text: `UPDATE payment_attempts SET updated_at = $2, recover_at = $3
           WHERE id = $1 AND status IN ${sources('hold')}`,
    values: [attemptId, now.toISOString(), later(now, NEXT_LOOK_MS)],
  });
  return rowCount === 1;
}

/** The settlement of an acquirer that tells nothing beyond its reference. */
export function bareSettlement(transactionId: string): Settlement {
  return { transactionId, receiptUrl: null, cardBrand: null, cardLast4: null, feeMinor: null };
}

/**
 * capturing → captured, in the transaction that makes the invoice PAID, with what the acquirer told
 * of the money.
 */
export async function markCaptured(
  db: Queryable,
  attemptId: string,
  settlement: Settlement,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mark_captured',
    text: `UPDATE payment_attempts
           SET status = 'captured', updated_at = $2, recover_at = NULL, transaction_id = $3,
               receipt_url = $4, card_brand = coalesce($5, card_brand),
               card_last4 = coalesce($6, card_last4), fee_minor = $7
           WHERE id = $1 AND status IN ${sources('capture')}`,
    values: [
      attemptId,
      now.toISOString(),
      settlement.transactionId,
      settlement.receiptUrl,
      settlement.cardBrand,
      settlement.cardLast4,
      settlement.feeMinor?.toString() ?? null,
    ],
  });
  return rowCount === 1;
}

/** capturing → voiding, and the claim is given back: the acquirer refused the capture for good. */
export async function releaseClaim(db: Queryable, attemptId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'release_claim',
    text: `
      WITH attempt AS (
        UPDATE payment_attempts
        SET status = 'voiding', decline_reason = 'processing_error', updated_at = $2, recover_at = $2
        WHERE id = $1 AND status IN ${sources('release')}
        RETURNING id, invoice_id
      )
      UPDATE invoices i SET capture_attempt_id = NULL
      FROM attempt
      WHERE i.id = attempt.invoice_id AND i.capture_attempt_id = attempt.id AND i.status = 'PENDING'`,
    values: [attemptId, now.toISOString()],
  });
  return rowCount === 1;
}

/** challenge → voiding: the buyer left, or took too long. */
export async function giveUpChallenge(
  db: Queryable,
  attemptId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'give_up_challenge',
    text: `UPDATE payment_attempts
           SET status = 'voiding', decline_reason = 'challenge_abandoned', updated_at = $2, recover_at = $3
           WHERE id = $1 AND status IN ${sources('giveUp')}`,
    values: [attemptId, now.toISOString(), later(now, MONEY_MOVING_LEASE_MS)],
  });
  return rowCount === 1;
}

/**
 * voiding → voided, or abandoned when the buyer left the challenge. The latter was not approved:
 * one later look finds an approval that was on its way then.
 *
 * @param attempt as read before the acquirer was asked: an approval or a capture that came to light
 *   meanwhile has to be voided as well
 */
export async function markVoided(
  db: Queryable,
  attempt: Pick<PaymentAttempt, 'id' | 'updatedAtMs'>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'mark_voided',
    text: `UPDATE payment_attempts
           SET status = CASE WHEN decline_reason = 'challenge_abandoned' THEN 'abandoned' ELSE 'voided' END::attempt_status,
               updated_at = $2,
               recover_at = CASE WHEN decline_reason = 'challenge_abandoned' THEN $3::timestamptz END
           WHERE id = $1 AND status IN ${sources('void')} AND updated_at = $4`,
    values: [
      attempt.id,
      now.toISOString(),
      later(now, LATE_AUTHORISATION_MS),
      new Date(attempt.updatedAtMs).toISOString(),
    ],
  });
  return rowCount === 1;
}

/**
 * An attempt that has ended without money → voiding: the acquirer holds an authorisation of it, or
 * says that it captured one. The row then has that authorisation, which no other has (a unique
 * index ensures that), so nothing of another attempt is voided.
 *
 * @param state `approved`, or `challenge` for one that came to light after it was given up as lost
 * @returns false when it has not ended, or was captured
 */
export async function voidLate(
  db: Queryable,
  attemptId: string,
  { authorisationId, state }: { authorisationId: string; state: 'approved' | 'challenge' },
  now: Date,
): Promise<boolean> {
  // The time always differs from the earlier one: it tells `markVoided` that there is more to void.
  const { rowCount } = await db.query({
    name: 'void_late',
    text: `UPDATE payment_attempts
           SET status = 'voiding', authorisation_id = $2, recover_at = $5,
               updated_at = greatest($4, updated_at + interval '1 millisecond'),
               decline_reason = CASE WHEN $3 THEN nullif(decline_reason, 'challenge_abandoned')
                                     ELSE 'challenge_abandoned' END
           WHERE id = $1 AND status IN ${sources('voidLate')}
             AND ($3 OR status IN ${sources('withdraw')})`,
    values: [
      attemptId,
      authorisationId,
      state === 'approved',
      now.toISOString(),
      later(now, MONEY_MOVING_LEASE_MS),
    ],
  });
  return rowCount === 1;
}
