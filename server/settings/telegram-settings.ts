import { SettingError } from '../lib/errors.ts';
import { isLoopbackUrl } from '../lib/formats.ts';

/** The operator's bot: TELEGRAM_BOT_TOKEN, TELEGRAM_BOT_NAME and TELEGRAM_API_URL. */
export type TelegramSettings = {
  /** As @BotFather gives it: `123456:ABC…`. */
  token: string;
  /** The bot's user name, without the @. */
  botName: string;
  /** Without a slash at the end. */
  apiUrl: string;
};

/**
 * Reads the settings of the bot; null where there is none. The token stays out of every message.
 *
 * @throws SettingError that names the variable and what it must be
 */
export function parseTelegramSettings(
  read: (name: string) => string | undefined,
): TelegramSettings | null {
  const token = read('TELEGRAM_BOT_TOKEN');
  const botName = read('TELEGRAM_BOT_NAME')?.replace(/^@/, '');
  const apiUrl = (read('TELEGRAM_API_URL') ?? 'https://api.telegram.org').replace(/\/+$/, '');
  if (token === undefined && botName === undefined) return null;
  if (token === undefined || botName === undefined) {
    throw new SettingError('Set both TELEGRAM_BOT_TOKEN and TELEGRAM_BOT_NAME, or neither.');
  }
  if (!/^\d+:[\w-]+$/.test(token)) {
    throw new SettingError(
      'The setting TELEGRAM_BOT_TOKEN must be as @BotFather gives it: 123:ABC.',
    );
  }
  if (!/^\w{5,32}$/.test(botName)) {
    throw new SettingError(
      'The setting TELEGRAM_BOT_NAME must be the bot’s user name: example_bot.',
    );
  }
  const isSafe = apiUrl.startsWith('https://') || isLoopbackUrl(apiUrl);
  if (!isSafe || !URL.canParse(apiUrl)) {
    throw new SettingError(
      'The setting TELEGRAM_API_URL must be an https URL, or an http URL of this machine.',
    );
  }
  return { token, botName, apiUrl };
}
