import type { Pool } from 'pg';
import { readRecipients } from './choices.ts';
import { type NewNotice, noticesTo, writeNotices } from './outbox.ts';
import type { NoticeContent, Place } from './types.ts';

/** How far back is looked: what a stopped worker missed is told when it runs again. */
const BACK = "interval '1 day'";

type State = Place & { subject: string; content: NoticeContent };

// The moment since which an account is down tells one failure from the next.
const ACCOUNTS_DOWN = `
  SELECT merchant_id AS "merchantId", environment,
         'account_down ' || id || ' ' || (extract(epoch from down_since) * 1000)::bigint AS subject,
         jsonb_build_object('what', 'account_down', 'account', name) AS content
  FROM acquirer_accounts
  WHERE down_since > $1::timestamptz - ${BACK} AND is_enabled AND disconnected_at IS NULL`;

// One notice a day and account, however many differences a comparison finds.
const BOOKS_DIFFER = `
  SELECT a.merchant_id AS "merchantId", a.environment,
         'books_differ ' || a.id || ' ' || (d.found_at AT TIME ZONE 'UTC')::date AS subject,
         jsonb_build_object('what', 'books_differ', 'account', min(a.name), 'count', count(*)) AS content
  FROM book_differences d JOIN acquirer_accounts a ON a.id = d.account_id
  WHERE d.found_at > $1::timestamptz - ${BACK} AND d.gone_at IS NULL AND d.settled_at IS NULL
  GROUP BY a.id, (d.found_at AT TIME ZONE 'UTC')::date`;

/** Writes the notices about accounts that are down and books that differ. */
async function lookAtAccounts(pool: Pool, now: Date): Promise<void> {
  const states: State[] = [];
  for (const text of [ACCOUNTS_DOWN, BOOKS_DIFFER]) {
    states.push(...(await pool.query<State>(text, [now.toISOString()])).rows);
  }
  for (const state of states) {
    const recipients = await readRecipients(pool, state);
    await writeNotices(
      pool,
      recipients.flatMap((each) => noticesTo(each, state)),
      now,
    );
  }
}

// Who is on several merchants' staff has an entry in each log of the same moment, and is told once.
const SIGN_INS = `
  SELECT c.user_id AS "userId", c.merchant_id AS "merchantId", c.environment, channel,
         'sign_in ' || (extract(epoch from a.at) * 1000)::bigint AS subject,
         jsonb_build_object('what', 'sign_in', 'address', a.address,
           'atMs', (extract(epoch from a.at) * 1000)::bigint) AS content
  FROM notice_choices c CROSS JOIN unnest(c.channels) AS channel
  CROSS JOIN LATERAL (
    SELECT at, address FROM audit_log
    WHERE target_id = c.user_id AND merchant_id = c.merchant_id AND action = 'session.sign_in'
      AND at > greatest($1::timestamptz - ${BACK}, c.updated_at)
    ORDER BY id DESC LIMIT 20) a
  WHERE c.kind = 'sign_in'`;

/** Writes the notices about what is found as it stands: each is told once by its subject. */
export async function lookAtStates(pool: Pool, { now }: { now: Date }): Promise<void> {
  await lookAtAccounts(pool, now);
  const { rows } = await pool.query<NewNotice>(SIGN_INS, [now.toISOString()]);
  await writeNotices(pool, rows, now);
}
