import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
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
});
