import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { isLocale } from '../lib/locales.ts';
import { type Email, type MailRoute, senderOf, tryEmail } from '../mail/send.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { receiptUrl } from '../payments/addresses.ts';
import { receiptOf } from './receipt-content.ts';
import { changedAtMs, readReceiptData } from './receipt-data.ts';
import { receiptEmail } from './receipt-email.ts';
import { receiptPdf } from './receipt-pdf.ts';

const MINUTE_MS = 60_000;

/** Longer than an e-mail may take: one whose worker has died is due again then. */
const LEASE_MS = 5 * MINUTE_MS;
/** The pauses after failures; then it is given up. */
const RETRY_AFTER_MS = [1, 5, 15, 60, 180, 480, 1_440].map((minutes) => minutes * MINUTE_MS);

type Due = {
  id: string;
  invoice_id: string;
  refund_id: string | null;
  address: string;
  locale: string;
  attempt_count: number;
};

/** Takes due e-mails: their attempt is counted before anything is sent. */
async function claim(db: Queryable, now: Date, limit: number): Promise<Due[]> {
  const { rows } = await db.query<Due>({
    name: 'claim_receipt_emails',
    text: `
      WITH due AS (
        SELECT id FROM receipt_emails WHERE state = 'waiting' AND next_attempt_at <= $1::timestamptz
        ORDER BY next_attempt_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
      UPDATE receipt_emails e
      SET attempt_count = e.attempt_count + 1, next_attempt_at = $2::timestamptz
      FROM due WHERE e.id = due.id
      RETURNING e.id, e.invoice_id, e.refund_id, e.address, e.locale, e.attempt_count`,
    values: [now.toISOString(), new Date(now.getTime() + LEASE_MS).toISOString(), limit],
  });
  return rows;
}

type Result =
  | { state: 'sent' }
  | { state: 'refused' | 'failed'; reason: string }
  | { state: 'waiting'; reason: string; nextAt: Date };

/** Records the result of the attempt that was claimed; a later claim has a result of its own. */
async function record(db: Queryable, due: Due, result: Result, now: Date): Promise<void> {
  await db.query({
    name: 'record_receipt_email',
    text: `UPDATE receipt_emails
           SET state = $3::receipt_email_state, reason = $4, next_attempt_at = coalesce($5, next_attempt_at),
               ended_at = CASE WHEN $3::receipt_email_state <> 'waiting' THEN $6::timestamptz END
           WHERE id = $1 AND attempt_count = $2 AND state = 'waiting'`,
    values: [
      due.id,
      due.attempt_count,
      result.state,
      result.state === 'sent' ? null : result.reason,
      result.state === 'waiting' ? result.nextAt.toISOString() : null,
      now.toISOString(),
    ],
  });
}

/** The e-mail of a row; null where what it tells is not true any more, such as a refund that failed. */
async function write(db: Queryable, due: Due, route: MailRoute, now: Date): Promise<Email | null> {
  const data = await readReceiptData(db, due.invoice_id, now);
  const locale = isLocale(due.locale) ? due.locale : 'en';
  const content = data && receiptOf(data, locale);
  const refund = data?.refunds.find(({ id }) => id === due.refund_id) ?? null;
  const isUntrue = due.refund_id !== null && refund?.status !== 'SUCCEEDED';
  if (!content || isUntrue) return null;
  const pageUrl = receiptUrl(due.invoice_id);
  const madeAt = new Date(changedAtMs(data));
  const sender = senderOf(route);
  return {
    ...receiptEmail(data, content, { locale, refund, pageUrl }),
    from: { name: data.merchant.name, address: sender },
    replyTo: data.merchant.seller.supportEmail ?? undefined,
    // The same for each attempt: by it a mail server or a reader tells a repeat.
    messageId: `<${due.id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    attachments: [
      {
        filename: `receipt-${due.invoice_id}.pdf`,
        contentType: 'application/pdf',
        content: await receiptPdf(content, { madeAt, locale, pageUrl }),
      },
    ],
  };
}

async function send(db: Queryable, due: Due, route: MailRoute, now: Date): Promise<Result> {
  const email = await write(db, due, route, now);
  if (!email) return { state: 'failed', reason: 'outdated' };
  const { outcome, reason } = await tryEmail(due.address, email, route);
  if (outcome === 'sent') return { state: 'sent' };
  if (outcome === 'refused') return { state: 'refused', reason };
  const pauseMs = RETRY_AFTER_MS[due.attempt_count - 1];
  if (pauseMs === undefined) return { state: 'failed', reason };
  return { state: 'waiting', reason, nextAt: new Date(now.getTime() + pauseMs) };
}

/**
 * Sends buyers what is due of e-mails about payments and refunds.
 *
 * One whose worker dies after the mail server took it is sent once more with the same Message-ID: no
 * protocol tells whether it had been taken.
 *
 * @returns the number of attempts
 */
export async function sendReceiptEmails(
  db: Pool,
  { route, clock, limit }: { route: MailRoute; clock: () => Date; limit: number },
): Promise<number> {
  if (route.smtpUrl === null) return 0;
  const due = await claim(db, clock(), limit);
  for (const each of due) {
    try {
      const result = await send(db, each, route, clock());
      await record(db, each, result, clock());
      if (result.state !== 'waiting') metrics().emails.inc({ outcome: result.state });
    } catch (error) {
      // The lease makes it due again.
      log().error({ err: error, emailId: each.id }, 'an e-mail to a buyer could not be made');
    }
  }
  return due.length;
}
