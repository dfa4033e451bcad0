import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../../db/pool.ts';
import { newId } from '../../../lib/ids.ts';
import type {
  AttemptKey,
  Authorisation,
  AuthorisationRequest,
  Captured,
  CaptureRequest,
  CardProvider,
} from '../../provider.ts';
import type { DeclineReason } from '../../types.ts';
import { SandboxRefunds } from './sandbox-refunds.ts';
import {
  type ChallengeAnswer,
  challengeEndOf,
  declineReasonOf,
  type SandboxOutcome,
  SLOW_ANSWER_MS,
  testCardOf,
} from './test-cards.ts';

type Row = {
  id: string;
  state: 'pending' | 'challenge' | 'approved' | 'declined';
  outcome: SandboxOutcome;
  decline_reason: DeclineReason | null;
  answers_at: Date;
};

const REASON_OF_ANSWER: Record<ChallengeAnswer, DeclineReason | null> = {
  approve: null,
  fail: 'authentication_failed',
  leave: 'challenge_abandoned',
};

function answerOf(row: Row, idempotencyKey: string, now: Date): Authorisation {
  if (row.state === 'declined') {
    const reason = row.decline_reason ?? 'generic_decline';
    return { state: 'declined', reason, authorisationId: row.id };
  }
  if (row.state === 'challenge') {
    // The page is ours and stands beside the one to which the buyer comes back.
    const url = `challenge?attempt=${idempotencyKey}`;
    return { state: 'challenge', authorisationId: row.id, url };
  }
  if (row.answers_at.getTime() > now.getTime()) return { state: 'pending' };
  return { state: 'approved', authorisationId: row.id };
}

function stateAfter(outcome: SandboxOutcome): Row['state'] {
  if (declineReasonOf(outcome)) return 'declined';
  return outcome.startsWith('challenge_') ? 'challenge' : 'approved';
}

/**
 * The sandbox acquirer: it behaves like a real one behind the port and keeps its own books
 * (`sandbox_authorisations`, `sandbox_ledger_entries`), which tests compare with the gateway's. The
 * ledger takes a capture or a void for an authorisation, never both, in any order of calls.
 */
export class SandboxAcquirer implements CardProvider {
  readonly kind = 'card';
  readonly name = 'sandbox';
  readonly refunds: SandboxRefunds;
  private readonly db: Queryable;

  constructor(db: Queryable) {
    this.db = db;
    this.refunds = new SandboxRefunds(db);
  }

  async authorise(request: AuthorisationRequest, now: Date): Promise<Authorisation> {
    const card = testCardOf(request.card.number);
    if (!card) return { state: 'declined', reason: 'test_card_required', authorisationId: null };

    const row = await this.open(request, card.outcome, now);
    const waitMs = row.answers_at.getTime() - now.getTime();
    if (row.state === 'approved' && waitMs > 0) {
      await sleep(waitMs);
      return { state: 'approved', authorisationId: row.id };
    }
    return answerOf(row, request.idempotencyKey, now);
  }

  /** Writes the authorisation, or finds the one that was made with this key. */
  private async open(
    request: AuthorisationRequest,
    outcome: SandboxOutcome,
    now: Date,
  ): Promise<Row> {
    const reason = declineReasonOf(outcome);
    const state = stateAfter(outcome);
    const answersAt = new Date(now.getTime() + (outcome === 'slow_approved' ? SLOW_ANSWER_MS : 0));
    const { rows } = await this.db.query<Row>({
      name: 'sandbox_authorise',
      text: `
        WITH opened AS (
          INSERT INTO sandbox_authorisations
            (id, idempotency_key, amount_minor, currency, outcome, state, decline_reason, created_at, answers_at)
          VALUES ($1, $2, $3, $4::currency, $5, $6, $7, $8, $9)
          ON CONFLICT (idempotency_key) DO UPDATE SET idempotency_key = excluded.idempotency_key
          RETURNING *
        ), booked AS (
          INSERT INTO sandbox_ledger_entries (authorisation_id, kind, amount_minor, currency, at)
          SELECT id, 'authorisation', amount_minor, currency, $8 FROM opened WHERE state = 'approved'
          ON CONFLICT (authorisation_id, kind) DO NOTHING
        )
        SELECT id, state, outcome, decline_reason, answers_at FROM opened`,
      values: [
        newId('sbx', now.getTime()),
        request.idempotencyKey,
        request.amountMinor.toString(),
        request.currency,
        outcome,
        state,
        reason,
        now.toISOString(),
        answersAt.toISOString(),
      ],
    });
    const row = rows[0];
    if (!row) throw new Error('the sandbox acquirer did not open an authorisation');
    return row;
  }

  async lookup(
    { id: idempotencyKey }: Pick<AttemptKey, 'id'>,
    now: Date,
  ): Promise<Authorisation | { state: 'unknown' }> {
    const { rows } = await this.db.query<Row>({
      name: 'sandbox_lookup',
      text: `SELECT id, state, outcome, decline_reason, answers_at
             FROM sandbox_authorisations WHERE idempotency_key = $1`,
      values: [idempotencyKey],
    });
    return rows[0] ? answerOf(rows[0], idempotencyKey, now) : { state: 'unknown' };
  }

  /**
   * The buyer's answer on the challenge page. Only the first one counts, and a card for a failed or
   * a left challenge gives its own.
   * @returns whether this call was the first
   */
  async answerChallenge(
    authorisationId: string,
    answer: ChallengeAnswer,
    now: Date,
  ): Promise<boolean> {
    const { rows } = await this.db.query<Pick<Row, 'outcome'>>({
      name: 'sandbox_challenged_outcome',
      text: 'SELECT outcome FROM sandbox_authorisations WHERE id = $1',
      values: [authorisationId],
    });
    if (!rows[0]) return false;
    const reason = REASON_OF_ANSWER[challengeEndOf(rows[0].outcome) ?? answer];
    const { rowCount } = await this.db.query({
      name: 'sandbox_answer_challenge',
      text: `
        WITH answered AS (
          UPDATE sandbox_authorisations
          SET state = CASE WHEN $2::text IS NULL THEN 'approved' ELSE 'declined' END,
              decline_reason = $2, answers_at = $3
          WHERE id = $1 AND state = 'challenge'
          RETURNING *
        ), booked AS (
          INSERT INTO sandbox_ledger_entries (authorisation_id, kind, amount_minor, currency, at)
          SELECT id, 'authorisation', amount_minor, currency, $3 FROM answered WHERE state = 'approved'
        )
        SELECT 1 FROM answered`,
      values: [authorisationId, reason, now.toISOString()],
    });
    return rowCount === 1;
  }

  async capture(
    { authorisationId }: Pick<CaptureRequest, 'authorisationId'>,
    now: Date,
  ): Promise<Captured> {
    const kind = await this.close(authorisationId, 'capture', now);
    return { state: kind === 'capture' ? 'captured' : 'refused' };
  }

  async void(authorisationId: string, now: Date): Promise<void> {
    const { rowCount } = await this.db.query({
      name: 'sandbox_withdraw_challenge',
      text: `UPDATE sandbox_authorisations SET state = 'declined', decline_reason = 'challenge_abandoned'
             WHERE id = $1 AND state = 'challenge'`,
      values: [authorisationId],
    });
    if (rowCount === 1) return;
    const kind = await this.close(authorisationId, 'void', now);
    if (kind === 'capture') throw new Error(`${authorisationId} is captured: it cannot be voided`);
  }

  /** Books a capture or a void of an approved authorisation; returns the entry in the books. */
  private async close(
    authorisationId: string,
    kind: 'capture' | 'void',
    now: Date,
  ): Promise<'capture' | 'void' | null> {
    await this.db.query({
      name: 'sandbox_close',
      text: `
        INSERT INTO sandbox_ledger_entries (authorisation_id, kind, amount_minor, currency, at)
        SELECT id, $2::ledger_entry_kind, amount_minor, currency, $3
        FROM sandbox_authorisations WHERE id = $1 AND state = 'approved'
        ON CONFLICT DO NOTHING`,
      values: [authorisationId, kind, now.toISOString()],
    });
    const { rows } = await this.db.query<{ kind: 'capture' | 'void' }>({
      name: 'sandbox_closed_as',
      text: `SELECT kind FROM sandbox_ledger_entries
             WHERE authorisation_id = $1 AND kind IN ('capture', 'void')`,
      values: [authorisationId],
    });
    return rows[0]?.kind ?? null;
  }
}
