import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldCase, foldCode, foldPassword, foldTyped, readingsOf } from './typed-text.ts';

it.each([
  ['Arabic-Indic digits', '٤٢٤٢٤٢', '424242'],
  ['Persian digits', '۴۲۴۲۴۲', '424242'],
  ['Devanagari digits', '४२४२४२', '424242'],
  ['full-width characters', 'Ｋｉｍ＠ｓｈｏｐ．ｅｘａｍｐｌｅ', 'Kim@shop.example'],
  ['mathematical digits', '𝟒𝟐𝟜𝟚', '4242'],
  ['an amount of an Arabic keyboard', '١٢٫٥', '12.5'],
  ['the full stop of a Japanese one', 'shop。example', 'shop.example'],
  ['a ligature', 'ﬁnn', 'finn'],
  ['a letter in two parts', 'cafe\u0301', 'café'],
  ['the apostrophes of Uzbek', 'soʻm so‘m so’m soʼm so`m so´m', "so'm so'm so'm so'm so'm so'm"],
  ['dashes', '1–2—3−4‑5', '1-2-3-4-5'],
  ['marks of direction and of width', '\u202d42\u200b42\u202c\ufeff', '4242'],
  ['blanks around it', '\u00a0 a  b\u3000', 'a  b'],
  ['a joiner that joins nothing', 'kim\u200d@shop.example\u200c', 'kim@shop.example'],
])('%s become what others type', (_, typed, folded) => {
  expect(foldTyped(typed)).toBe(folded);
});

it('a joiner stays where it belongs to the word', () => {
  expect(foldTyped('نامه\u200cای')).toBe('نامه\u200cای');
});

it('every digit of Unicode is the one that it stands for', () => {
  const systems = Intl.supportedValuesOf('numberingSystem').filter((each) => {
    const digits = new Intl.NumberFormat('en', { numberingSystem: each, useGrouping: false });
    return /^\p{Nd}+$/u.test(digits.format(1_234_567_890));
  });
  expect(systems.length).toBeGreaterThan(60);
  for (const numberingSystem of systems) {
    const digits = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
    expect([numberingSystem, foldTyped(digits.format(1_234_567_890))]).toEqual([
      numberingSystem,
      '1234567890',
    ]);
  }
});

it('a code loses its groups and its case, a password nothing', () => {
  expect(foldCode(' ＡＢＣＤ—efgh \u200c١٢ ')).toBe('abcdefgh12');
  expect(foldCase(' ＫIM ')).toBe('kim');
  expect(foldPassword(' ｐass - ١\u200b ')).toBe(' pass - ١\u200b ');
});

it('an id of somebody else’s is looked for as it was given as well', () => {
  expect(readingsOf('order-1')).toEqual(['order-1']);
  expect(readingsOf(' Ｏrder‑1')).toEqual(['Ｏrder‑1', ' Ｏrder‑1', 'Order-1']);
});

it('what is folded stays as it is', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(fc.property(text, (each) => foldCode(foldCode(each)) === foldCode(each)));
  fc.assert(fc.property(text, (each) => foldTyped(foldTyped(each)) === foldTyped(each)));
});
