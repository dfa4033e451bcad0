import { expect, it } from 'vitest';
import { isOpenedByPerson } from './openings.ts';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const TELEGRAM_APP = `${SAFARI} Telegram-iOS/11.2`;
const document = { 'sec-fetch-dest': 'document' };

it.each<[string, Record<string, string>, boolean]>([
  ['a browser', { ...document, 'user-agent': SAFARI }, true],
  ['the browser within Telegram', { ...document, 'user-agent': TELEGRAM_APP }, true],
  ['Telegram’s preview', { 'user-agent': 'TelegramBot (like TwitterBot)' }, false],
  ['WhatsApp’s preview', { 'user-agent': 'WhatsApp/2.24.20.89 A' }, false],
  [
    'the preview of iMessage, which is a browser',
    { ...document, 'user-agent': `${SAFARI} facebookexternalhit/1.1 Facebot Twitterbot/1.0` },
    false,
  ],
  ['a page fetched ahead', { ...document, 'sec-purpose': 'prefetch;prerender' }, false],
  ['a script', { 'user-agent': SAFARI }, false],
])('%s', (_, headers, isPerson) => {
  expect(isOpenedByPerson(new Headers(headers))).toBe(isPerson);
});
