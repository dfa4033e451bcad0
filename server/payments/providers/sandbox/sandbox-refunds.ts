import type { Queryable } from '../../../db/pool.ts';
import type { RefundAnswer, RefundProvider, RefundRequest } from '../../provider.ts';
import { later } from '../../timing.ts';

/** The reasons that stand for an outcome, as the test cards' numbers do; any other succeeds. */
const FAILING = 'test:fail';
const PENDING = 'test:pending';
const PENDING_MS = 5_000;

type Row = { failure_reason: string | null; is_settled: boolean };

/**
 * The sandbox acquirer's refunds: its own rows (`sandbox_refunds`), and an entry in its ledger once
 * the money is back.
 */
export class SandboxRefunds implements RefundProvider {
  private readonly db: Queryable;

  constructor(db: Queryable) {
    this.db = db;
  }

  async refund(request: RefundRequest, now: Date): Promise<RefundAnswer> {
    const { refundId, payment, amountMinor, reason } = request;
    await this.db.query({
      name: 'sandbox_refund',
      text: `
        INSERT INTO sandbox_refunds
          (id, authorisation_id, amount_minor, failure_reason, created_at, settles_at)
        SELECT $1, authorisation_id, $3, $4, $5, $6 FROM sandbox_ledger_entries
        WHERE authorisation_id = $2 AND kind = 'capture'
        ON CONFLICT DO NOTHING`,
      values: [
        refundId,
        payment.transactionId,
        amountMinor.toString(),
        reason === FAILING ? 'The reason asked for a failure.' : null,
        now.toISOString(),
        later(now, reason === PENDING ? PENDING_MS : 0),
      ],
    });
    const answer = await this.lookupRefund(request, now);
    if (answer.state !== 'unknown') return answer;
    return { state: 'failed', reference: null, failureReason: 'The payment is not known here.' };
  }

  async lookupRefund(
    { refundId }: Pick<RefundRequest, 'refundId'>,
    now: Date,
  ): Promise<RefundAnswer | { state: 'unknown' }> {
    const { rows } = await this.db.query<Row>({
      name: 'sandbox_refund_lookup',
      text: `
        WITH booked AS (
          INSERT INTO sandbox_ledger_entries (refund_id, kind, amount_minor, currency, at)
          SELECT r.id, 'refund', r.amount_minor, a.currency, r.settles_at
          FROM sandbox_refunds r JOIN sandbox_authorisations a ON a.id = r.authorisation_id
          WHERE r.id = $1 AND r.failure_reason IS NULL AND r.settles_at <= $2
          ON CONFLICT DO NOTHING)
        SELECT failure_reason, settles_at <= $2 AS is_settled FROM sandbox_refunds WHERE id = $1`,
      values: [refundId, now.toISOString()],
    });
    const [row] = rows;
    if (!row) return { state: 'unknown' };
    const { failure_reason: failureReason } = row;
    if (failureReason !== null) return { state: 'failed', reference: null, failureReason };
    const state = row.is_settled ? 'succeeded' : 'pending';
    return { state, reference: null, failureReason: null };
  }
}
