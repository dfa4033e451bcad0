import { expect, test } from 'vitest';
import { LOCALES } from '#server/lib/locales.ts';
import { formatInstant, formatTime, formatZonedInstant } from './dates.ts';

const AT_MS = Date.parse('2026-11-21T18:55:00.000Z');

test.each([
  ['en', '21 November 2026 at 23:55 GMT+5', '21 November 2026 at 23:55 (Asia/Tashkent, GMT+5)'],
  ['ru', '21 ноября 2026 г. в 23:55 GMT+5', '21 ноября 2026 г. в 23:55 (Asia/Tashkent, GMT+5)'],
  ['uz', '2026-yil 21-noyabr, 23:55 GMT+5', '2026-yil 21-noyabr, 23:55 (Asia/Tashkent, GMT+5)'],
  [
    'uz-Cyrl',
    '2026 йил 21 ноябрь, 23:55 GMT+5',
    '2026 йил 21 ноябрь, 23:55 (Asia/Tashkent, GMT+5)',
  ],
] as const)('a time says its zone, and a receipt’s names it: %s', (locale, instant, zoned) => {
  expect(formatInstant(AT_MS, locale, 'Asia/Tashkent')).toBe(instant);
  expect(formatZonedInstant(AT_MS, locale, 'Asia/Tashkent')).toBe(zoned);
  expect(formatTime(AT_MS, locale, 'Asia/Tashkent')).toBe('23:55 GMT+5');
});

test.each(LOCALES)('a time of day has two digits for its hour: %s', (locale) => {
  expect(formatTime(Date.UTC(2026, 10, 21, 0, 5), locale, 'UTC')).toBe('00:05 UTC');
  expect(formatInstant(Date.UTC(2026, 10, 21, 0, 5), locale, 'UTC')).toMatch(/ 00:05 UTC$/);
});

test('UTC is named once, and stands for a zone that nobody knows', () => {
  for (const zone of ['UTC', 'Mars/Olympus']) {
    expect(formatZonedInstant(AT_MS, 'en', zone)).toBe('21 November 2026 at 18:55 (UTC)');
    for (const locale of LOCALES) expect(formatTime(AT_MS, locale, zone)).toBe('18:55 UTC');
  }
});
