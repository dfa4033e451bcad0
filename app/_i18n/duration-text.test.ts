import { expect, it } from 'vitest';
import { durationText } from './duration-text.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [0, '0_ms', '0_мс'],
  [999, '999_ms', '999_мс'],
  [1_500, '1_sec', '1_с'],
  [MINUTE - 1, '59_sec', '59_с'],
  [2 * MINUTE + 24 * SECOND, '2_min 24_sec', '2_мин 24_с'],
  [59 * MINUTE, '59_min', '59_мин'],
  [HOUR + 59 * SECOND, '1_hr', '1_ч'],
  [3 * HOUR + 12 * MINUTE, '3_hr 12_min', '3_ч 12_мин'],
  [2 * DAY, '2_days', '2_дн.'],
  [3 * DAY + 5 * HOUR + 59 * MINUTE, '3_days 5_hr', '3_дн. 5_ч'],
])('%i ms is said in two units, none parted from its figure', (ms, en, ru) => {
  const shown = (locale: string) => durationText(ms, locale).replaceAll('\u00a0', '_');
  expect([shown('en'), shown('ru')]).toEqual([en, ru]);
});

it('narrow, for a figure in large letters', () => {
  const ms = 2 * MINUTE + 26 * SECOND;
  const shown = ['en', 'ru'].map((locale) => durationText(ms, locale, 'narrow'));
  expect(shown).toEqual(['2m 26s', '2\u00a0мин 26\u00a0с']);
});
