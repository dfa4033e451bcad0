import { expect, test } from 'vitest';
import type { ReceiptContent } from './receipt-content.ts';
import { receiptFile } from './receipt-file.ts';
import { receiptPdf } from './receipt-pdf.ts';

const PAID_AT = new Date('2026-11-21T12:00:00.000Z');

const CONTENT: ReceiptContent = {
  title: 'Чек',
  merchant: 'Кофейня «Oʻzbek»',
  amount: '1 500,00 RUB',
  testNote: null,
  facts: [{ label: 'Номер', value: 'inv_01' }],
  itemsTitle: 'Позиция',
  amountTitle: 'Сумма',
  items: [{ label: 'Кофе', value: '1 500,00 ₽' }],
  totals: [{ label: 'Итого', value: '1 500,00 ₽' }],
};

test('the thread makes the same file each time, and refuses too many at once', async () => {
  const asked = Array.from({ length: 17 }, () => receiptFile(CONTENT, PAID_AT));
  const settled = await Promise.allSettled(asked);
  const expected = Buffer.from(await receiptPdf(CONTENT, PAID_AT));
  for (const file of settled.slice(0, 16)) {
    if (file.status === 'rejected') throw file.reason;
    expect(expected.equals(file.value)).toBe(true);
  }
  expect(settled[16]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
});
