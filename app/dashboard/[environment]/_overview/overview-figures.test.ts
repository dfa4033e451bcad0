import { expect, it } from 'vitest';
import { translatorOf } from '#server/i18n/translator.ts';
import { changeText } from './overview-figures.ts';

const t = translatorOf('en', 'overview');

it.each([
  [101, 100, '+1.0%'],
  [836, 1000, '−16.4%'],
  [300, 100, '+200%'],
  [1_099, 100, '+999%'],
  [1_100, 100, '>+999%'],
  [100, 100, t('same')],
  [1, 0, t('none')],
])('%i after %i is written %s', (now, before, text) => {
  expect(changeText(now, before, 'en', t)).toBe(text);
});

it('a fall has a minus and no hyphen in Russian, too', () => {
  expect(changeText(836, 1000, 'ru', translatorOf('ru', 'overview'))).toBe('−16,4\u00a0%');
});
