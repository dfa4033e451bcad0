import { expect, it } from 'vitest';
import { firstLetter } from './first-letter.ts';

it.each([
  ['shop', 'S'],
  [' чай', 'Ч'],
  ['🍵 Tea', '🍵'],
  [' ', '·'],
])('“%s” is marked by %s', (name, letter) => {
  expect(firstLetter(name)).toBe(letter);
});
