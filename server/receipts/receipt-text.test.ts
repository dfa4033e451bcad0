import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Faces } from './receipt-fonts.ts';
import { directionOf, runsOf, settable, wrap } from './receipt-text.ts';

const byLength = (text: string): number => text.length;

describe('wrapping', () => {
  test.each([
    ['one two three', 8, ['one two', 'three']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['', 4, ['']],
    ['a b', 1, ['a', 'b']],
    ['กน้ำกน้ำ', 4, ['กน้ำ', 'กน้ำ']],
  ])('%j to %d', (text, width, lines) => expect(wrap(text, width, byLength)).toEqual(lines));

  test('loses nothing but spaces at the breaks, and no line is too long', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ж', '-'), minLength: 1 }));
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 30 }), (parts, width) => {
        const text = parts.join(' ');
        const lines = wrap(text, width, byLength);
        const bare = (each: string) => each.replaceAll(' ', '');
        return lines.every((line) => line.length <= width) && bare(lines.join('')) === bare(text);
      }),
    );
  });
});

describe('a line’s runs', () => {
  let faces: Faces;
  beforeAll(async () => {
    faces = await Faces.of('regular');
  });

  async function runs(text: string): Promise<string[]> {
    const line = settable(text);
    await faces.load(line);
    return runsOf(line, directionOf(line), faces).map((run) => run.text);
  }

  test.each([
    ['one font sets what is of one font', 'Two tickets, 15.00', ['Two tickets, 15.00']],
    ['Georgian among Latin', 'Cup ყავა 250', ['Cup ', 'ყავა', ' 250']],
    ['Hebrew from the right', 'קפה (250 גרם)', ['(', 'גרם', ' ', '250', ') ', 'קפה']],
    ['Arabic within Latin', 'Latte قهوة عربية!', ['Latte ', 'عربية', ' ', 'قهوة', '!']],
    ['nothing for what is invisible', 'Ч\u00AD\u200Dа\u2060й\uFEFF \u200Eok\uFE0F', ['Чай ok']],
    ['one letter where an accent follows its own', 'Чаи\u0306', ['Чай']],
    ['a joiner that Persian is written with', 'می\u200Cروم', ['می\u200Cروم']],
    ['an emoji of several', '👨\u200D👩\u200D👧', ['👨\u200D👩\u200D👧']],
    ['a box for what no font has', 'ab ᚠᚢ', ['ab ', '□□']],
  ])('%s', async (_what, text, expected) => {
    expect(await runs(text)).toEqual(expected);
  });

  test('whether all could be drawn is known of every text', async () => {
    const other = await Faces.of('bold');
    await other.load('Кофе ყავა 咖啡 ☕');
    expect(other.hasUndrawn).toBe(false);
    await other.load('ᚠ');
    expect(other.hasUndrawn).toBe(true);
  });
});
