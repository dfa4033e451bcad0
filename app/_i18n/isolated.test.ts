import { expect, it } from 'vitest';
import { isolated } from './isolated.ts';

it.each([
  ['Hebrew', 'קפה Noga'],
  ['Arabic', 'Café شاي'],
  ['Arabic in the forms of old files', '\ufe8e\ufedf'],
  ['N’Ko', 'ߒߞߏ'],
  ['Adlam, beyond the first plane', '𞤀𞤣𞤤𞤢𞤥'],
  ['a mark that turns what follows', '\u202etea'],
])('a text keeps its direction to itself: %s', (_script, text) => {
  expect(isolated(text)).toBe(`\u2068${text}\u2069`);
});

it.each(['ann@shop.example', 'Чайная №1 «Самовар»', 'O‘zbek choyxonasi', '茶 & Co.', '😀'])(
  'a text that is written as ours is stays as it is: %s',
  (text) => {
    expect(isolated(text)).toBe(text);
  },
);

it('marks of its own do not end ours early, nor use up their end', () => {
  expect(isolated('tea\u2069\u202e')).toBe('\u2068tea\u202e\u2069');
  for (const begin of ['\u2066', '\u2067', '\u2068']) {
    expect(isolated(`\u202etea${begin}`)).toBe('\u2068\u202etea\u2069');
  }
});
