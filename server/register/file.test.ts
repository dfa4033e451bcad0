import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { registerCsvHeads, registerCsvLine, registerXlsx } from './file.ts';
import type { RegisterRow } from './types.ts';

const ROW: RegisterRow = {
  kind: 'payment',
  // The second 02:30 of a night on which Berlin's clocks go back.
  atMs: Date.parse('2026-10-25T01:30:05.000Z'),
  invoiceId: 'inv_1',
  merchantTransactionId: '=1+1',
  description: 'Two; tickets',
  refundId: null,
  refundTransactionId: null,
  account: 'Payme',
  cardBrand: 'visa',
  cardLast4: '4242',
  paymentReference: 'pay_1',
  currency: 'USD',
  amountMinor: 1_550n,
  feeMinor: 46n,
  netMinor: 1_504n,
};
const REFUND: RegisterRow = {
  ...ROW,
  kind: 'refund',
  refundId: 'ref_1',
  amountMinor: -550n,
  feeMinor: null,
  netMinor: -550n,
};
const BERLIN = 'Europe/Berlin';

it('CSV has amounts as numbers, below zero for refunds, and texts that are no formulas', () => {
  const shape = { timeZone: BERLIN, separator: ';' } as const;
  expect(registerCsvHeads(BERLIN, ';')).toMatch(/^time \(Europe\/Berlin\);kind;invoice_id;/);
  expect(registerCsvLine(ROW, shape)).toBe(
    '2026-10-25 02:30:05;payment;inv_1;\'=1+1;"Two; tickets";Payme;visa;4242;pay_1;;;USD;"15,50";"0,46";"15,04";GMT+01:00\r\n',
  );
  expect(registerCsvLine(REFUND, { timeZone: 'UTC', separator: ',' })).toBe(
    '2026-10-25 01:30:05,refund,inv_1,\'=1+1,"Two; tickets",Payme,visa,4242,pay_1,ref_1,,USD,-5.50,,-5.50,GMT+00:00\r\n',
  );
});

/** Reads a workbook back: the rows of its only sheet. */
async function sheetOf(rows: RegisterRow[], timeZone: string) {
  const file = registerXlsx(rows, { day: '2026-10-25', timeZone, locale: 'ru' });
  const { sheets } = await readXlsx(new Uint8Array(await new Response(file).arrayBuffer()));
  expect(sheets.map(({ name }) => name)).toEqual(['2026-10-25']);
  return sheets[0];
}

it('a workbook has numbers, times by the zone’s clock, texts as they are, and heads in sight', async () => {
  const sheet = await sheetOf([ROW, REFUND], BERLIN);
  expect(sheet?.freezePane).toMatchObject({ rows: 1 });
  const [heads, payment, refund] = sheet?.rows ?? [];
  expect(heads?.slice(0, 2)).toEqual(['Время', 'Операция']);
  expect(payment).toEqual([
    new Date('2026-10-25T02:30:05.000Z'),
    'Платёж',
    'inv_1',
    '=1+1',
    'Two; tickets',
    'Payme',
    'visa',
    '4242',
    'pay_1',
    null,
    null,
    'USD',
    15.5,
    0.46,
    15.04,
    'GMT+01:00',
  ]);
  expect(refund?.slice(9)).toEqual(['ref_1', null, 'USD', -5.5, null, -5.5, 'GMT+01:00']);
});

it('a workbook has the text of an amount of which a spreadsheet would lose a digit', async () => {
  const [kept, lost] = [999_999_999_999_999n, 9_007_199_254_740_991n];
  const sheet = await sheetOf(
    [kept, lost].map((amountMinor) => ({ ...ROW, amountMinor })),
    'UTC',
  );
  expect(sheet?.rows.slice(1).map((row) => row[12])).toEqual([
    9_999_999_999_999.99,
    '90071992547409.91',
  ]);
});
