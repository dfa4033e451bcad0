import { expect, it } from 'vitest';
import { durationText } from './duration-text.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [0, '0_ms', '0_мс', '0_ms'],
  [999, '999_ms', '999_мс', '999_ms'],
  [1_500, '1_sec', '1_с', '1_son.'],
  [MINUTE - 1, '59_sec', '59_с', '59_son.'],
  [2 * MINUTE + 24 * SECOND, '2_min 24_sec', '2_мин 24_с', '2_daq. 24_son.'],
  [59 * MINUTE, '59_min', '59_мин', '59_daq.'],
  [HOUR + 59 * SECOND, '1_hr', '1_ч', '1_soat'],
  [3 * HOUR + 12 * MINUTE, '3_hr 12_min', '3_ч 12_мин', '3_soat 12_daq.'],
  [2 * DAY, '2_days', '2_дн.', '2_kun'],
  [3 * DAY + 5 * HOUR + 59 * MINUTE, '3_days 5_hr', '3_дн. 5_ч', '3_kun 5_soat'],
])('%i ms is said in two units, none parted from its figure', (ms, en, ru, uz) => {
  const shown = (locale: string) => durationText(ms, locale).replaceAll('\u00a0', '_');
  expect([shown('en'), shown('ru'), shown('uz')]).toEqual([en, ru, uz]);
});

it('narrow, for a figure in large letters', () => {
  const ms = 2 * MINUTE + 26 * SECOND;
  const shown = ['en', 'ru', 'uz'].map((locale) => durationText(ms, locale, 'narrow'));
  expect(shown).toEqual(['2m 26s', '2\u00a0мин 26\u00a0с', '2\u00a0daq. 26\u00a0son.']);
});
