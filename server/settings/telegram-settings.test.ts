import { expect, it } from 'vitest';
import { parseTelegramSettings } from './telegram-settings.ts';

const parse = (variables: Record<string, string>) =>
  parseTelegramSettings((name) => variables[name]);
const BOT = { TELEGRAM_BOT_TOKEN: '123456:AB-c_d', TELEGRAM_BOT_NAME: '@example_bot' };

it('a bot is a token and a name, or there is none', () => {
  expect(parse({})).toBeNull();
  expect(parse(BOT)).toEqual({
    token: '123456:AB-c_d',
    botName: 'example_bot',
    apiUrl: 'https://api.telegram.org',
  });
  expect(() => parse({ TELEGRAM_BOT_NAME: 'example_bot' })).toThrow('TELEGRAM_BOT_TOKEN');
});

it('a token is never told, and never sent without encryption to another machine', () => {
  const wrong = () => parse({ ...BOT, TELEGRAM_BOT_TOKEN: 'secret' });
  expect(wrong).toThrow('TELEGRAM_BOT_TOKEN');
  expect(wrong).not.toThrow('secret');
  expect(() => parse({ ...BOT, TELEGRAM_API_URL: 'http://proxy.example' })).toThrow(
    'TELEGRAM_API_URL',
  );
  expect(parse({ ...BOT, TELEGRAM_API_URL: 'http://127.0.0.1:8081/' })?.apiUrl).toBe(
    'http://127.0.0.1:8081',
  );
});
