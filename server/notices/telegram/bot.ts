import type { TelegramSettings } from '../../settings/telegram-settings.ts';

const ANSWER_MS = 15_000;

/** A message to the bot, as far as it is read. */
export type BotUpdate = {
  update_id: number;
  message?: {
    text?: string;
    chat: { id: number; type: string; first_name?: string; username?: string };
  };
};

type Reply<T> = {
  ok: boolean;
  result?: T;
  error_code?: number;
  description?: string;
  parameters?: { retry_after?: number };
};

/** What became of a message. */
export type BotAnswer =
  | { outcome: 'sent' }
  /** The person has blocked the bot, or their chat is gone. */
  | { outcome: 'blocked'; reason: string }
  | { outcome: 'later'; reason: string; afterMs: number }
  | { outcome: 'failed'; reason: string };

/** Asks the Bot API. The address holds the token: an error never names it. */
async function ask<T>(
  { token, apiUrl }: TelegramSettings,
  method: string,
  body: Record<string, unknown>,
): Promise<Reply<T>> {
  const response = await fetch(`${apiUrl}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return (await response.json()) as Reply<T>;
}

/**
 * Sends a plain text: nothing in it is markup, whoever wrote its words, and no page is previewed.
 *
 * @throws where there is no answer; whether the message has arrived is then unknown
 */
export async function sendMessage(
  bot: TelegramSettings,
  chatId: string,
  text: string,
): Promise<BotAnswer> {
  const reply = await ask<unknown>(bot, 'sendMessage', {
    chat_id: chatId,
    text,
    link_preview_options: { is_disabled: true },
  });
  if (reply.ok) return { outcome: 'sent' };
  const { error_code: code, description = '', parameters } = reply;
  const reason = `${code ?? ''} ${description}`.trim().slice(0, 500);
  if (code === 429) {
    return { outcome: 'later', reason, afterMs: (parameters?.retry_after ?? 30) * 1_000 };
  }
  const isGone = code === 403 || (code === 400 && /chat not found/i.test(description));
  return isGone ? { outcome: 'blocked', reason } : { outcome: 'failed', reason };
}

/** How many messages the API gives at a time. */
export const UPDATES_PAGE = 100;

/**
 * Messages to the bot from `offset` on; those before it are forgotten there.
 *
 * @throws where the API refuses, such as for a bot that has a webhook
 */
export async function getUpdates(bot: TelegramSettings, offset: bigint): Promise<BotUpdate[]> {
  const { ok, result, description } = await ask<BotUpdate[]>(bot, 'getUpdates', {
    offset: Number(offset),
    limit: UPDATES_PAGE,
    timeout: 0,
    allowed_updates: ['message'],
  });
  if (!ok || !result) throw new Error(`Telegram gives no messages of the bot: ${description}`);
  return result;
}
