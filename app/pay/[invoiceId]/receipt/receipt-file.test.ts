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

const WORK = { content: CONTENT, paidAt: PAID_AT };

const make = (merchantId: string, invoiceId: string, locale: 'ru' | 'uz' = 'ru') =>
  receiptFile({ merchantId, invoiceId, locale }, WORK);

test('a receipt that many ask for at once is made once, and takes no place of another’s', async () => {
  const asked = Array.from({ length: 17 }, () => make('mer_1', 'inv_1'));
  const files = await Promise.all([...asked, make('mer_2', 'inv_2')]);
  const expected = Buffer.from(await receiptPdf(CONTENT, PAID_AT));
  expect(expected.equals(files[0] ?? new Uint8Array())).toBe(true);
  expect(new Set(files.slice(0, 17)).size).toBe(1);
  expect(files[17]).not.toBe(files[0]);
  // It is not kept, and in each language it is another.
  const [again, uzbek] = await Promise.all([make('mer_1', 'inv_1'), make('mer_1', 'inv_1', 'uz')]);
  expect(new Set([files[0], again, uzbek]).size).toBe(3);
});

test('one merchant has a few places, and another one the rest', async () => {
  const asked = Array.from({ length: 5 }, (_, nth) => make('mer_1', `inv_${nth}`));
  const settled = await Promise.allSettled([...asked, make('mer_2', 'inv_9')]);
  expect(settled.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 4 }, () => 'fulfilled'),
    'rejected',
    'fulfilled',
  ]);
  expect(settled[4]).toMatchObject({ reason: { code: 'unavailable' } });
});
