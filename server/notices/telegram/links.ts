import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../db/pool.ts';
import { GatewayError } from '../../lib/errors.ts';
import { hashToken } from '../../lib/opaque-token.ts';
import type { TelegramSettings } from '../../settings/telegram-settings.ts';

/** A link that nobody follows is over then. */
const CODE_LIFETIME_MS = 15 * 60_000;

/** A person's connection with the bot. */
export type TelegramState = {
  /** The name of the Telegram account; null where none is connected. */
  chatName: string | null;
  isConnected: boolean;
  /** The person has blocked the bot, which ended the connection. */
  isBlocked: boolean;
};

/** How a person is connected with the bot. */
export async function readTelegramState(db: Queryable, userId: string): Promise<TelegramState> {
  const { rows } = await db.query<TelegramState>(
    `SELECT chat_name AS "chatName", chat_id IS NOT NULL AS "isConnected",
            chat_id IS NULL AND blocked_at IS NOT NULL AS "isBlocked"
     FROM telegram_links WHERE user_id = $1`,
    [userId],
  );
  return rows[0] ?? { chatName: null, isConnected: false, isBlocked: false };
}

/** The chat of a connected person; null without one. */
export async function chatOf(db: Queryable, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ chat_id: string | null }>(
    'SELECT chat_id FROM telegram_links WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.chat_id ?? null;
}

/**
 * Makes a link that connects whoever opens it in Telegram with this person, once; an earlier one
 * works no more.
 *
 * @throws GatewayError `no_telegram_bot` where the gateway has none
 */
export async function beginTelegramLink(
  db: Queryable,
  bot: TelegramSettings | null,
  { userId, now }: { userId: string; now: Date },
): Promise<string> {
  if (!bot) throw new GatewayError('no_telegram_bot');
  // A start parameter has up to 64 characters of this alphabet.
  const code = randomBytes(24).toString('base64url');
  await db.query(
    `INSERT INTO telegram_links (user_id, code_hash, code_expires_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET
       code_hash = excluded.code_hash, code_expires_at = excluded.code_expires_at`,
    [userId, hashToken(code), new Date(now.getTime() + CODE_LIFETIME_MS).toISOString()],
  );
  return `https://t.me/${bot.botName}?start=${code}`;
}

/**
 * Uses a link's code for the chat that sent it.
 *
 * @returns whether it was valid: each is, once
 */
export async function takeTelegramCode(
  db: Queryable,
  code: string,
  { chatId, chatName, now }: { chatId: string; chatName: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE telegram_links
     SET chat_id = $2, chat_name = $3, linked_at = $4, blocked_at = NULL, code_hash = NULL,
         code_expires_at = NULL
     WHERE code_hash = $1 AND code_expires_at > $4`,
    [hashToken(code), chatId, chatName, now.toISOString()],
  );
  return rowCount === 1;
}

/** Ends the connection of a person who has blocked the bot, unless they have made another since. */
export async function markBlocked(
  db: Queryable,
  { userId, chatId, now }: { userId: string; chatId: string; now: Date },
): Promise<void> {
  await db.query(
    'UPDATE telegram_links SET chat_id = NULL, blocked_at = $3 WHERE user_id = $1 AND chat_id = $2',
    [userId, chatId, now.toISOString()],
  );
}

/** Ends a person's connection with the bot, and any link that was not followed yet. */
export async function disconnectTelegram(db: Queryable, userId: string): Promise<void> {
  await db.query('DELETE FROM telegram_links WHERE user_id = $1', [userId]);
}
