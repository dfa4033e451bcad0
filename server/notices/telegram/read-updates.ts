import type { Pool } from 'pg';
import { translatorOf } from '../../i18n/translator.ts';
import { isLocale } from '../../lib/locales.ts';
import { log } from '../../observability/log.ts';
import type { TelegramSettings } from '../../settings/telegram-settings.ts';
import { type BotUpdate, getUpdates, sendMessage, UPDATES_PAGE } from './bot.ts';
import { takeTelegramCode } from './links.ts';

/** Longer than a page of messages takes: a reader that has died has none after it. */
const LEASE_MS = 60_000;

/** Null unless somebody has a link to follow, and nobody else reads. */
async function claimReading(db: Pool, now: Date): Promise<{ next: bigint; until: string } | null> {
  const until = new Date(now.getTime() + LEASE_MS).toISOString();
  const { rows } = await db.query<{ next: string }>({
    name: 'claim_telegram_reading',
    text: `UPDATE telegram_readings SET leased_until = $2
           WHERE id = 1 AND leased_until <= $1
             AND EXISTS (SELECT FROM telegram_links WHERE code_expires_at > $1)
           RETURNING next_update_id::text AS next`,
    values: [now.toISOString(), until],
  });
  return rows[0] ? { next: BigInt(rows[0].next), until } : null;
}

/** Keeps how far was read; a page that was not kept is read again, and its codes are used up. */
async function keepReading(
  db: Pool,
  { next, until }: { next: bigint; until: string },
  isOver: boolean,
): Promise<void> {
  await db.query(
    `UPDATE telegram_readings
     SET next_update_id = $1, leased_until = CASE WHEN $3 THEN 'epoch' ELSE leased_until END
     WHERE id = 1 AND leased_until = $2`,
    [next.toString(), until, isOver],
  );
}

async function takeUpdate(
  db: Pool,
  bot: TelegramSettings,
  { message }: BotUpdate,
  now: Date,
): Promise<void> {
  const code = /^\/start ([\w-]{1,64})$/.exec(message?.text ?? '')?.[1];
  // In a group, everybody would read what one person may.
  if (!message || code === undefined || message.chat.type !== 'private') return;
  const { id, username, first_name } = message.chat;
  const chatId = String(id);
  const chatName = (username ? `@${username}` : (first_name ?? '')).slice(0, 100);
  if (!(await takeTelegramCode(db, code, { chatId, chatName, now }))) return;
  const { rows } = await db.query<{ locale: string | null }>(
    'SELECT u.locale FROM telegram_links l JOIN users u ON u.id = l.user_id WHERE l.chat_id = $1 LIMIT 1',
    [chatId],
  );
  const locale = rows[0]?.locale;
  const t = translatorOf(isLocale(locale) ? locale : 'en', 'mail.notices');
  // The page shows the connection as well: a greeting that is lost is not sent again.
  await sendMessage(bot, chatId, t('connected')).catch((error: unknown) => {
    log().warn({ err: error }, 'the bot could not greet somebody');
  });
}

/**
 * Reads what was written to the bot while somebody has a link to follow: a link's code connects the
 * chat that sends it. Nothing is asked of Telegram otherwise.
 *
 * @returns the number of messages
 */
export async function readTelegramUpdates(
  db: Pool,
  { bot, now }: { bot: TelegramSettings | null; now: Date },
): Promise<number> {
  const reading = bot && (await claimReading(db, now));
  if (!reading) return 0;
  let { next } = reading;
  let count = 0;
  let isOver = false;
  try {
    while (!isOver) {
      const updates = await getUpdates(bot, next);
      for (const update of updates) {
        await takeUpdate(db, bot, update, now);
        next = BigInt(update.update_id) + 1n;
      }
      count += updates.length;
      isOver = updates.length < UPDATES_PAGE;
      if (!isOver) await keepReading(db, { ...reading, next }, false);
    }
  } finally {
    await keepReading(db, { ...reading, next }, true);
  }
  return count;
}
