import { expect, it } from 'vitest';
import { workEn } from '../_i18n/work-en.ts';
import { workRu } from '../_i18n/work-ru.ts';
import { changeText, durationText } from './overview-figures.ts';

it.each([
  [101, 100, '+1.0%'],
  [836, 1000, '−16.4%'],
  [300, 100, '+200%'],
  [1_099, 100, '+999%'],
  [1_100, 100, '>+999%'],
  [100, 100, workEn.overview.same],
  [1, 0, workEn.overview.none],
])('%i after %i is written %s', (now, before, text) => {
  expect(changeText(now, before, 'en', workEn.overview)).toBe(text);
});

it('a fall has a minus and no hyphen in Russian, too', () => {
  expect(changeText(836, 1000, 'ru', workRu.overview)).toBe('−16,4\u00a0%');
});

it.each([
  [9_000, '9\u00a0s'],
  [144_000, '2\u00a0min 24\u00a0s'],
  [3_720_000, '1\u00a0h 2\u00a0min'],
])('no figure of %i ms is parted from its unit', (durationMs, text) => {
  expect(durationText(durationMs, workEn.overview)).toBe(text);
});
