import { expect, it } from 'vitest';
import { pressedKey } from './pressed-key.ts';

it.each([
  ['k', 'KeyK', 'k'],
  ['K', 'KeyK', 'k'],
  ['/', 'Slash', '/'],
  ['Enter', 'Enter', 'enter'],
])('“%s” at %s, as its keyboard has it, is %s', (key, code, pressed) => {
  expect(pressedKey({ key, code })).toBe(pressed);
});

it.each([
  ['Russian', 'л', 'KeyK', 'k'],
  ['Russian', 'Л', 'KeyK', 'k'],
  ['Russian', 'о', 'KeyJ', 'j'],
  ['Russian', '.', 'Slash', '/'],
  ['Greek', 'κ', 'KeyK', 'k'],
  ['Arabic', 'ن', 'KeyK', 'k'],
  ['Arabic', 'ظ', 'Slash', '/'],
  ['Thai, a tone mark', '\u0e48', 'KeyJ', 'j'],
])(
  'a keyboard of another script goes by what is printed beside it: %s “%s”',
  (_, key, code, pressed) => {
    expect(pressedKey({ key, code })).toBe(pressed);
  },
);

it.each([
  ['Dvorak', 't', 'KeyK', 't'],
  ['Dvorak', 'z', 'Slash', 'z'],
  ['Dvorak', '.', 'KeyE', '.'],
  ['AZERTY', '!', 'Slash', '!'],
  ['AZERTY', 'a', 'KeyQ', 'a'],
  ['BÉPO', 'é', 'KeyW', 'é'],
  ['a dead key', 'Dead', 'KeyK', 'dead'],
])('a Latin keyboard goes by what it writes: %s “%s”', (_, key, code, pressed) => {
  expect(pressedKey({ key, code })).toBe(pressed);
});
