import { expect, it } from 'vitest';
import { workEn } from '../../_i18n/work-en.ts';
import { workRu } from '../../_i18n/work-ru.ts';
import { changeText } from './overview-figures.ts';

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
