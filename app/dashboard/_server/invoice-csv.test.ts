import { expect, it } from 'vitest';
import type { InvoiceListItem } from '#server/trpc/rows.ts';
import type { ExportPlace } from './export-places.ts';
import { type CsvShape, invoiceCsv } from './invoice-csv.ts';

const INVOICE: InvoiceListItem = {
  id: 'inv_1',
  merchantTransactionId: '=HYPERLINK("http://evil.example")',
  status: 'PAID',
  amountMinor: 9_007_199_254_740_991n,
  currency: 'UZS',
  description: 'Beans, ground',
  createdAtMs: Date.UTC(2026, 10, 21, 20, 30),
  statusChangedAtMs: Date.UTC(2026, 10, 21, 20, 31),
  endDateMs: Date.UTC(2026, 10, 22),
  cardBrand: 'visa',
  cardLast4: '4242',
  accountName: null,
  paymentReference: 'sbx_1',
  feeMinor: 150n,
  callbackState: 'delivered',
  callbackAttempts: 2,
  refundedMinor: 1_550n,
};

const PLACE: ExportPlace = { inTurn: (readPage) => readPage(), leave: () => undefined };

type Page = { invoices: InvoiceListItem[]; nextCursor: string | null };

/** The file of these pages, and the requested cursors. */
async function exported(
  pages: Page[],
  shape: Partial<CsvShape> = {},
): Promise<{ lines: string[]; asked: (string | null)[] }> {
  const asked: (string | null)[] = [];
  const readPage = (cursor: string | null) => {
    const page = pages[asked.length];
    asked.push(cursor);
    return page ? Promise.resolve(page) : Promise.reject(new Error('asked after the end'));
  };
  const whole = { timeZone: 'Asia/Tashkent', separator: ',' as const, ...shape };
  const text = await new Response(await invoiceCsv(readPage, whole, PLACE)).text();
  return { lines: text.split('\r\n'), asked };
}

it('writes times in the zone that was chosen, exact amounts, and no formula', async () => {
  const { lines } = await exported([{ invoices: [INVOICE], nextCursor: null }]);
  expect(lines[0]).toMatch(/,end_date_offset,fee,refunded_amount$/);
  expect(lines[0]).toMatch(/^invoice_id,.*,created_at \(Asia\/Tashkent\),/);
  expect(lines[1]).toBe(
    `inv_1,"'=HYPERLINK(""http://evil.example"")",PAID,90071992547409.91,UZS,"Beans, ground",` +
      '2026-11-22 01:30:00,2026-11-22 01:31:00,2026-11-22 05:00:00,visa,4242,delivered,2,sbx_1,' +
      'GMT+05:00,GMT+05:00,GMT+05:00,1.50,15.50',
  );
  expect(lines.slice(2)).toEqual(['']);
});

it('tells the hour that comes twice by its offset, beside times that stay times', async () => {
  const times = (timeZone: string, createdAtMs: number) =>
    exported([{ invoices: [{ ...INVOICE, createdAtMs, status: 'PENDING' }], nextCursor: null }], {
      timeZone,
    }).then(({ lines: [heads = '', line = ''] }) => {
      const cells = line.replace('"Beans, ground"', '').split(',');
      const cell = (head: string) => cells[heads.split(',').indexOf(head)];
      const zoned = (head: string) => [cell(`${head} (${timeZone})`), cell(`${head}_offset`)];
      return [zoned('created_at'), zoned('status_changed_at')];
    });
  const [first, second] = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)];
  const none = ['', ''];
  expect(await times('Europe/Berlin', first)).toEqual([['2026-10-25 02:30:00', 'GMT+02:00'], none]);
  expect(await times('Europe/Berlin', second)).toEqual([
    ['2026-10-25 02:30:00', 'GMT+01:00'],
    none,
  ]);
  expect(await times('America/Caracas', first)).toEqual([
    ['2026-10-24 20:30:00', 'GMT-04:00'],
    none,
  ]);
});

it('parts columns by semicolons for spreadsheets that write a decimal comma', async () => {
  const page = { invoices: [{ ...INVOICE, description: 'a; b' }], nextCursor: null };
  const { lines } = await exported([page], { separator: ';' });
  expect(lines[0]).toMatch(/^\uFEFF?invoice_id;merchant_transaction_id;/);
  expect(lines[1]).toContain(';PAID;"90071992547409,91";UZS;"a; b";2026-11-22 01:30:00;');
  expect(lines[1]).toMatch(/;"15,50"$/);
});

it('follows the cursors to the end, past a page on which nothing was found', async () => {
  const { lines, asked } = await exported([
    { invoices: [INVOICE], nextCursor: 'a' },
    { invoices: [], nextCursor: 'b' },
    { invoices: [INVOICE, INVOICE], nextCursor: null },
  ]);
  expect(asked).toEqual([null, 'a', 'b']);
  expect(lines).toHaveLength(1 + 3 + 1);
});

it('reads no further than somebody takes', async () => {
  let reads = 0;
  const csv = await invoiceCsv(
    () => {
      reads += 1;
      return Promise.resolve({ invoices: [INVOICE], nextCursor: 'more' });
    },
    { timeZone: 'UTC', separator: ',' },
    PLACE,
  );
  const reader = csv.getReader();
  for (const _ of [1, 2, 3]) await reader.read();
  // A stream that reads ahead would do so now.
  await new Promise(setImmediate);
  await reader.cancel();
  expect(reads).toBeLessThanOrEqual(4);
});
