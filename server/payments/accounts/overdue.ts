import type { Pool } from 'pg';
import { ACCOUNT_PROVIDERS } from '../providers/account-providers.ts';
import { OPEN, sqlList } from '../state.ts';
import { HOLD_MS, LATE_AUTHORISATION_MS, later } from '../timing.ts';
import {
  COUNT_LIMIT,
  listByAccount,
  type OverdueAccount,
  type OverdueItem,
  type OverdueQuery,
} from './overdue-accounts.ts';

const PATIENCE_MS = 60_000;
// Recovery asks about a page every ten minutes, and may find its end that late.
const PAGE_PATIENCE_MS = LATE_AUTHORISATION_MS + PATIENCE_MS;

/** A payment at a merchant's account that is open longer than it should be. */
export type OverduePayment = OverdueItem & { status: (typeof OPEN)[number] };

// Beside those that have stayed in their state too long: of an acquirer that is down recovery asks
// in vain, and a look whose time has passed is not happening. A hold is not asked about.
const OVERDUE = `
  WITH overdue AS MATERIALIZED (
    SELECT p.account_id, p.id AS item_id, p.invoice_id, p.amount_minor, p.currency,
           p.status, p.created_at, p.recover_at,
           array_remove(ARRAY[p.authorisation_id, t.payment_number], NULL) AS acquirer_ids
    FROM payment_attempts p
    JOIN acquirer_accounts a ON a.id = p.account_id
    LEFT JOIN acquirer_transactions t ON t.attempt_id = p.id
    LEFT JOIN unnest($1::text[], $2::timestamptz[]) AS page (provider, begun_before)
      ON page.provider = p.provider
    WHERE p.account_id IS NOT NULL AND p.status IN ${sqlList(OPEN)} AND p.created_at <= $3
      AND (p.recover_at <= $3
        OR a.down_since IS NOT NULL AND t.attempt_id IS NULL
        OR CASE WHEN p.status = 'challenge' THEN p.created_at <= page.begun_before
                WHEN p.status = 'capturing' AND t.attempt_id IS NOT NULL THEN p.created_at <= $4
                ELSE p.updated_at <= $3 OR p.created_at <= page.begun_before END)
    LIMIT ${COUNT_LIMIT})`;

function overdueAt(now: Date): OverdueQuery {
  const providers = Object.entries(ACCOUNT_PROVIDERS);
  // The latest beginning of an overdue payment, by what is waited for.
  const values = [
    providers.map(([name]) => name),
    providers.map(([, { traits }]) => later(now, -traits.pageLifeMs - PAGE_PATIENCE_MS)),
    later(now, -PATIENCE_MS),
    later(now, -HOLD_MS - PATIENCE_MS),
  ];
  return { name: 'overdue_payments', text: OVERDUE, own: 'status', values };
}

/** The accounts with payments that are open longer than they should be, the longest first. */
export function listOverdue(pool: Pool, now: Date): Promise<OverdueAccount<OverduePayment>[]> {
  return listByAccount(
    pool,
    overdueAt(now),
    (item, { status }: Pick<OverduePayment, 'status'>): OverduePayment => ({ ...item, status }),
  );
}
