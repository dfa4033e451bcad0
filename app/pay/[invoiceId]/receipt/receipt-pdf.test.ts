import { readFileSync } from 'node:fs';
import fontkit from '@pdf-lib/fontkit';
import fc from 'fast-check';
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import type { ReceiptContent } from './receipt-content.ts';
import { receiptPdf, wrap } from './receipt-pdf.ts';

const byLength = (text: string): number => text.length;

describe('wrapping', () => {
  test.each([
    ['one two three', 8, ['one two', 'three']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['', 4, ['']],
    ['a b', 1, ['a', 'b']],
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

function content(count: number): ReceiptContent {
  return {
    title: 'Чек',
    merchant: 'Oʻzbek ☕ кофе 漢',
    amount: '1 500,00 RUB',
    testNote: 'Тестовый чек',
    facts: [{ label: 'Номер', value: 'inv_01'.repeat(30) }],
    itemsTitle: 'Позиция',
    amountTitle: 'Сумма',
    items: Array.from({ length: count }, (_, i) => ({ label: `Позиция ${i}`, value: '10,00 ₽' })),
    totals: [{ label: 'Итого', value: '1 500,00 ₽' }],
  };
}

describe('the PDF', () => {
  test('has one page for a few positions and more for many', async () => {
    const pages = async (count: number) =>
      (await PDFDocument.load(await receiptPdf(content(count), new Date(0)))).getPageCount();
    expect(await pages(2)).toBe(1);
    expect(await pages(200)).toBeGreaterThan(3);
  });

  test('is small: only the letters that it uses are embedded', async () => {
    expect((await receiptPdf(content(3), new Date(0))).length).toBeLessThan(60_000);
  });

  test('shows nothing for what is invisible, and one letter where an accent follows its own', async () => {
    const drawn = (value: string) =>
      receiptPdf({ ...content(1), items: [{ label: value, value }] }, new Date(0));
    const plain = await drawn('Чай ☕');
    expect(await drawn('Чаи\u0306 ☕')).toEqual(plain);
    const invisible = ['\u00AD', '\u200C', '\u200D', '\u200E', '\u2060', '\uFE0F', '\uFEFF'];
    for (const each of invisible) expect(await drawn(`Ч${each}ай ☕${each}`)).toEqual(plain);
    expect(await drawn('Чаи ☕')).not.toEqual(plain);
  });

  test('has the outline of each letter that it shows', async () => {
    const letters = 'ABCXYZabcxyzАБВЭЮЯабвэюя0123456789.,-–•ʻ№₽€';
    const shown = { ...content(1), items: [{ label: letters, value: letters }] };
    const { context } = await PDFDocument.load(await receiptPdf(shown, new Date(0)));
    const outlines = new Set<string>();
    for (const [, descriptor] of context.enumerateIndirectObjects()) {
      if (!(descriptor instanceof PDFDict)) continue;
      const file = context.lookup(descriptor.get(PDFName.of('FontFile2')));
      if (!(file instanceof PDFRawStream)) continue;
      const font = fontkit.create(decodePDFRawStream(file).decode());
      for (let id = 0; id < font.numGlyphs; id++) outlines.add(font.getGlyph(id).path.toSVG());
    }
    const folder = 'node_modules/@expo-google-fonts/inter/400Regular';
    const inter = fontkit.create(readFileSync(`${folder}/Inter_400Regular.ttf`));
    const isMissing = (letter: string) =>
      !outlines.has(inter.glyphForCodePoint(letter.codePointAt(0) ?? 0).path.toSVG());
    expect([...letters].filter(isMissing)).toEqual([]);
  });
});
