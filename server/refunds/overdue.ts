import type { Pool } from 'pg';
import {
  COUNT_LIMIT,
  countOverdueOf,
  listByAccount,
  type OverdueAccount,
  type OverdueItem,
  type OverdueQuery,
} from '../payments/accounts/overdue-accounts.ts';
import { LATE_AUTHORISATION_MS, later } from '../payments/timing.ts';

const PATIENCE_MS = 60_000;
// Recovery has asked six times by then, and nobody knows whether the money went back.
const UNANSWERED_MS = LATE_AUTHORISATION_MS + PATIENCE_MS;
// An acquirer that has accepted a refund may wait for a bank over a weekend.
const ACCEPTED_MS = 3 * 24 * 60 * 60_000;

/** A refund at a merchant's account that is open longer than it should be. */
export type OverdueRefund = OverdueItem & {
  /** Whether the acquirer has accepted it; of any other nobody knows what became of it. */
  isAccepted: boolean;
};

/**
 * What makes a pending refund `r` at the account `a` overdue, with the places of the three times of
 * `overdueRefundTimes`. Beside those that have waited too long: an acquirer that is down is asked in
 * vain, a look whose time has passed is not happening, and after thirty days there is none.
 */
export const overdueRefund = ([patience, unanswered, accepted]: readonly string[]): string => `
  r.created_at <= ${patience}::timestamptz
    AND (r.recover_at IS NULL OR r.recover_at <= ${patience}::timestamptz
      OR CASE WHEN r.reference IS NULL THEN a.down_since IS NOT NULL OR r.created_at <= ${unanswered}::timestamptz
              ELSE r.created_at <= ${accepted}::timestamptz END)`;

/** The latest beginnings of an overdue refund, by what is waited for. */
export const overdueRefundTimes = (now: Date) =>
  [PATIENCE_MS, UNANSWERED_MS, ACCEPTED_MS].map((ms) => later(now, -ms));

const OVERDUE = `
  WITH overdue AS MATERIALIZED (
    SELECT r.account_id, r.id AS item_id, r.invoice_id, r.amount_minor, r.currency, r.created_at,
           r.recover_at, r.reference IS NOT NULL AS is_accepted,
           array_remove(ARRAY[r.reference], NULL) AS acquirer_ids
    FROM refunds r JOIN acquirer_accounts a ON a.id = r.account_id
    WHERE r.account_id IS NOT NULL AND r.status = 'PENDING' AND ${overdueRefund(['$1', '$2', '$3'])}
    LIMIT ${COUNT_LIMIT})`;

const overdueAt = (now: Date): OverdueQuery => ({
  name: 'overdue_refunds',
  text: OVERDUE,
  own: 'is_accepted',
  values: overdueRefundTimes(now),
});

/** The accounts with refunds that are open longer than they should be, the longest first. */
export function listOverdueRefunds(
  pool: Pool,
  now: Date,
): Promise<OverdueAccount<OverdueRefund>[]> {
  return listByAccount(
    pool,
    overdueAt(now),
    (item, { is_accepted: isAccepted }: { is_accepted: boolean }): OverdueRefund => ({
      ...item,
      isAccepted,
    }),
  );
}

/** How many refunds at merchants' accounts are open longer than they should be. */
export function countOverdueRefunds(
  pool: Pool,
  now: Date,
): Promise<{ count: number; isMore: boolean }> {
  return countOverdueOf(pool, overdueAt(now));
}
