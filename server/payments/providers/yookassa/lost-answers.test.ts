import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShops } from '../../../testing/acquirers/yookassa-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';

let shops: Awaited<ReturnType<typeof openShops>>;

withOwnDataDir();
beforeAll(async () => {
  shops = await openShops();
});
afterAll(() => shops.close());
beforeEach(() => {
  shops.bank.faults.clear();
  shops.bank.news.length = 0;
  shops.bank.posts.length = 0;
});

const LOST = ['cut before', 'cut after', '500'] as const;

test.each(LOST)('a create whose answer is lost (%s) makes one payment', async (fault) => {
  const { bank, newInvoice, start } = shops;
  const invoiceId = await newInvoice();
  bank.faults.set('POST /payments', [fault]);
  expect(await start(invoiceId)).toEqual({ outcome: 'unknown' });
  expect(await start(invoiceId)).toEqual({ outcome: 'in_progress' });
  await shops.after(16);
  expect(await shops.statusesOf(invoiceId)).toEqual(['challenge']);
  expect(bank.of(invoiceId)).toHaveLength(1);
  const [payment] = bank.of(invoiceId);
  // A later press leads to that page.
  expect(await start(invoiceId)).toMatchObject({
    url: expect.stringContaining(payment?.id ?? '-'),
  });
  bank.pay(payment?.id ?? '');
  await bank.deliver();
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
});

test.each(LOST)('a capture whose answer is lost (%s) takes the money once', async (fault) => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  bank.pay(await atPage(invoiceId));
  bank.faults.set('POST /payments/:id/capture', [fault]);
  expect(await bank.deliver()).toContain(503);
  expect(await shops.statusesOf(invoiceId)).toEqual(['capturing']);
  await shops.after(11);
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
  expect(bank.posts.filter(({ operation }) => operation.endsWith('capture'))).toHaveLength(1);
  expect(await shops.callbacksOf(invoiceId)).toHaveLength(1);
});

test.each(LOST)('a cancel whose answer is lost (%s) ends', async (fault) => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  await shops.cancel(invoiceId);
  bank.pay(id);
  bank.faults.set('POST /payments/:id/cancel', [fault]);
  expect(await bank.deliver()).toContain(503);
  expect(await shops.statusesOf(invoiceId)).toEqual(['voiding']);
  await shops.after(11);
  expect(await shops.statusesOf(invoiceId)).toEqual(['voided']);
  expect(bank.payment(null, id).status).toBe('canceled');
});

test('an answer that YooKassa still works on is waited for', async () => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  bank.faults.set('POST /payments', ['processing', 'processing']);
  bank.faults.set('POST /payments/:id/capture', ['processing']);
  bank.pay(await atPage(invoiceId));
  await bank.deliver();
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
  expect(bank.of(invoiceId)).toHaveLength(1);
});

test('what YooKassa refuses, or has no time for, was not begun', async () => {
  const { bank, newInvoice, start, connect } = shops;
  const invoiceId = await newInvoice();
  bank.faults.set('POST /payments', ['too many']);
  expect(await start(invoiceId)).toEqual({ outcome: 'refused' });
  const wrong = await connect({ shop_id: '100500', secret_key: 'test_wrong' });
  // The merchant's other account takes over.
  expect(await start(invoiceId, wrong)).toMatchObject({ outcome: 'elsewhere' });
  expect(await start(await newInvoice({ amountMinor: 100 }))).toMatchObject({
    outcome: 'elsewhere',
  });
  expect(await start(invoiceId)).toMatchObject({ outcome: 'elsewhere' });
  // What was not begun is not begun by a later look.
  for (const seconds of [301, 301]) await shops.after(seconds);
  expect(bank.of(invoiceId)).toHaveLength(1);
  const statuses = (await shops.statusesOf(invoiceId)).toSorted();
  expect(statuses).toEqual(['challenge', 'failed', 'failed']);
});

test('a create is repeated byte for byte, and not once its key is forgotten', async () => {
  const { bank, newInvoice, start } = shops;
  const [soon, late] = [await newInvoice(), await newInvoice()];
  for (const invoiceId of [soon, late]) {
    bank.faults.set('POST /payments', ['cut after', 'cut before', 'cut before']);
    expect(await start(invoiceId)).toEqual({ outcome: 'unknown' });
    if (invoiceId === soon) for (const seconds of [16, 16, 16]) await shops.after(seconds);
  }
  expect(await shops.statusesOf(soon)).toEqual(['challenge']);
  bank.faults.clear();
  await shops.after(24 * 3_600);
  expect(await shops.statusesOf(late)).toEqual(['failed']);
  for (const invoiceId of [soon, late]) expect(bank.of(invoiceId)).toHaveLength(1);
});
