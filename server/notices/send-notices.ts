import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { reasonOf } from '../lib/errors.ts';
import { DEFAULT_LOCALE, isLocale } from '../lib/locales.ts';
import { type MailRoute, senderOf, tryEmail } from '../mail/send.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import type { TelegramSettings } from '../settings/telegram-settings.ts';
import { readRecipients } from './choices.ts';
import { emailOfNotice, type NoticeView, textOfNotice } from './notice-text.ts';
import { claimNotices, type DueNotice, type NoticeResult, recordNotice } from './outbox.ts';
import { type BotAnswer, sendMessage } from './telegram/bot.ts';
import { chatOf, markBlocked } from './telegram/links.ts';
import { kindOf } from './types.ts';

const MINUTE_MS = 60_000;
/** The pauses after failures, the last of them again and again. */
const RETRY_AFTER_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** A notice that old is no news. */
const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

export type NoticeChannels = {
  route: MailRoute;
  bot: TelegramSettings | null;
  publicUrl: string;
};

type Reader = { email: string; locale: string | null; name: string; zone: string; preset: string };

/** The person, unless they are off the staff or do not want it any more. */
async function readReader(db: Queryable, due: DueNotice): Promise<Reader | null> {
  const kind = kindOf(due.content);
  const [recipient] = await readRecipients(db, due, due.userId);
  const choice = recipient?.choices.find((each) => each.kind === kind);
  if (!recipient || (kind !== null && !choice?.channels.includes(due.channel))) return null;
  const { rows } = await db.query<Reader>(
    `SELECT u.email, u.locale, m.name, m.time_zone AS zone, m.default_locale AS preset
     FROM users u, merchants m WHERE u.id = $1 AND m.id = $2`,
    [due.userId, due.merchantId],
  );
  return rows[0] ?? null;
}

/** The language in which the person chose their notices; else the merchant's. */
function viewOf(due: DueNotice, reader: Reader, publicUrl: string): NoticeView {
  const locale = [reader.locale, reader.preset].find(isLocale) ?? DEFAULT_LOCALE;
  const { content, environment } = due;
  return {
    content,
    environment,
    locale,
    merchantName: reader.name,
    timeZone: reader.zone,
    publicUrl,
  };
}

/** What follows an attempt that failed: another, or the end. */
function laterOf(due: DueNotice, reason: string, now: Date, afterMs?: number): NoticeResult {
  if (now.getTime() - due.createdAt.getTime() >= GIVEN_UP_AFTER_MS) {
    return { state: 'failed', reason };
  }
  const pauseMs = afterMs ?? RETRY_AFTER_MS[due.attemptCount - 1] ?? 60 * MINUTE_MS;
  return { state: 'waiting', reason, nextAt: new Date(now.getTime() + pauseMs) };
}

function resultOf(
  outcome: 'sent' | 'failed' | 'refused',
  later: () => NoticeResult,
  reason: string,
): NoticeResult {
  if (outcome === 'failed') return later();
  return outcome === 'sent' ? { state: 'sent' } : { state: 'refused', reason };
}

async function byEmail(
  due: DueNotice,
  view: NoticeView,
  to: string,
  { route, now }: { route: MailRoute; now: Date },
): Promise<NoticeResult> {
  const sender = senderOf(route);
  // The same for each attempt: by it a mail server or a reader tells a repeat.
  const messageId = `<${due.id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`;
  const email = { ...emailOfNotice(view), messageId };
  const { outcome, reason } = await tryEmail(to, email, route);
  const result = resultOf(outcome, () => laterOf(due, reason, now), reason);
  if (result.state !== 'waiting') metrics().emails.inc({ outcome });
  return result;
}

async function byTelegram(
  db: Queryable,
  due: DueNotice,
  view: NoticeView,
  { bot, now }: { bot: TelegramSettings | null; now: Date },
): Promise<NoticeResult> {
  const chatId = await chatOf(db, due.userId);
  if (!bot || chatId === null) return { state: 'dropped' };
  const answer = await sendMessage(bot, chatId, textOfNotice(view)).catch(
    (error: unknown): BotAnswer => ({ outcome: 'failed', reason: reasonOf(error) }),
  );
  switch (answer.outcome) {
    case 'sent':
      return { state: 'sent' };
    case 'blocked':
      await markBlocked(db, { userId: due.userId, chatId, now });
      return { state: 'refused', reason: answer.reason };
    case 'later':
      return laterOf(due, answer.reason, now, answer.afterMs);
    case 'failed':
      return laterOf(due, answer.reason, now);
  }
}

async function send(
  db: Pool,
  due: DueNotice,
  { route, bot, publicUrl }: NoticeChannels,
  now: Date,
): Promise<NoticeResult> {
  const reader = await readReader(db, due);
  if (!reader) return { state: 'dropped' };
  const view = viewOf(due, reader, publicUrl);
  return due.channel === 'email'
    ? await byEmail(due, view, reader.email, { route, now })
    : await byTelegram(db, due, view, { bot, now });
}

/**
 * Sends staff what is due.
 *
 * A notice whose worker dies after it was taken is sent once more, an e-mail with the same
 * Message-ID: no protocol tells whether it had been taken.
 *
 * @returns the number of attempts
 */
export async function sendNotices(
  db: Pool,
  { clock, limit, ...channels }: NoticeChannels & { clock: () => Date; limit: number },
): Promise<number> {
  const due = await claimNotices(db, { now: clock(), limit });
  for (const each of due) {
    try {
      const result = await send(db, each, channels, clock());
      await recordNotice(db, each, result, clock());
    } catch (error) {
      // The lease makes it due again.
      log().error({ err: error, noticeId: each.id }, 'a notice to staff could not be sent');
    }
  }
  return due.length;
}
