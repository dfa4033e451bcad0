import { afterAll, beforeAll, expect, test } from 'vitest';
import { feeOf } from '../../../testing/acquirers/yookassa-objects.ts';
import { openShops } from '../../../testing/acquirers/yookassa-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import type { BookLine } from '../../provider.ts';

let shops: Awaited<ReturnType<typeof openShops>>;

withOwnDataDir();
beforeAll(async () => {
  shops = await openShops();
});
afterAll(() => shops.close());

async function read(fromMs: number, toMs: number): Promise<BookLine[]> {
  const { readBooks } = await shops.open(shops.account);
  const lines: BookLine[] = [];
  for await (const line of readBooks({ fromMs, toMs, known: [] })) lines.push(line);
  return lines;
}

test('the books are read whole, over all pages of the lists, each line once', async () => {
  const { bank, time } = shops;
  const shop = bank.shops.get('100500');
  if (!shop) throw new Error('there is no shop');
  const fromMs = time.nowMs;
  const body = (minor: number) => ({
    amount: { value: `${minor}.00`, currency: 'RUB' },
    confirmation: { type: 'redirect', return_url: 'http://localhost:1/' },
    metadata: { attempt_id: `pay_${minor}` },
  });
  const made = Array.from({ length: 230 }, (_, index) => {
    time.nowMs += 1_000;
    const payment = bank.create(shop, body(index + 1));
    if (index % 4 > 0) bank.pay(payment.id);
    if (index % 4 > 1) bank.capture(shop, payment.id, {});
    if (index % 4 === 1) bank.cancel(shop, payment.id);
    return payment;
  });
  const [, , captured] = made;
  const amount = { value: '1.00', currency: 'RUB' };
  const refund = bank.refund(shop, {
    payment_id: captured?.id,
    amount,
    metadata: { refund_id: 'ref_1' },
  });
  bank.refund(shop, { payment_id: captured?.id, amount });
  const lines = await read(fromMs, time.nowMs + 1);
  const payments = lines.filter(({ kind }) => kind === 'payment');
  expect(payments.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  expect(payments.at(-3)).toEqual({
    kind: 'payment',
    id: captured?.id,
    paymentId: captured?.id,
    ourId: 'pay_3',
    amountMinor: 300n,
    currency: 'RUB',
    state: 'succeeded',
    createdAtMs: captured?.createdAtMs,
    feeMinor: feeOf(300n),
  });
  expect(payments.slice(-4).map(({ state }) => state)).toEqual([
    'succeeded',
    'succeeded',
    'ended',
    'open',
  ]);
  expect(lines.filter(({ kind }) => kind === 'refund')).toMatchObject([
    { paymentId: captured?.id, ourId: null, amountMinor: 100n, state: 'succeeded' },
    { id: refund.id, ourId: 'ref_1', feeMinor: null },
  ]);
});

test('the span begins with its first moment and ends before its last', async () => {
  const { bank, time } = shops;
  const shop = bank.shops.get('100500');
  if (!shop) throw new Error('there is no shop');
  time.nowMs += 3_600_000;
  const fromMs = time.nowMs;
  const confirmation = { type: 'redirect', return_url: 'http://localhost:1/' };
  const ids = [0, 1, 2].map((atMs) => {
    time.nowMs = fromMs + atMs;
    return bank.create(shop, { amount: { value: '5', currency: 'RUB' }, confirmation }).id;
  });
  expect((await read(fromMs, fromMs + 2)).map(({ id }) => id)).toEqual([ids[1], ids[0]]);
});
