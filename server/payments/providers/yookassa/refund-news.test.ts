import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listRefunds } from '../../../refunds/data.ts';
import { recoverRefunds } from '../../../refunds/recover.ts';
import { requestRefund } from '../../../refunds/refund.ts';
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
  shops.bank.refundsBecome = 'succeeded';
});

/** A paid invoice, and its payment's id there. */
async function paid(): Promise<{ invoiceId: string; id: string }> {
  const invoiceId = await shops.newInvoice();
  const id = await shops.atPage(invoiceId);
  shops.bank.pay(id);
  await shops.bank.deliver();
  await shops.bank.deliver();
  return { invoiceId, id };
}

/** A refund that begins in the cabinet. */
function inCabinet(id: string, value: string): void {
  const shop = shops.bank.shops.get('100500');
  if (!shop) throw new Error('there is no shop');
  shops.bank.refund(shop, { payment_id: id, amount: { value, currency: 'RUB' } });
}

const ask = (invoiceId: string, amountMinor: bigint) =>
  requestRefund(
    shops.pool,
    shops.merchant.sandbox.tenant,
    { invoiceId, amountMinor, refundTransactionId: randomUUID(), reason: 'Не подошло' },
    {
      actor: { type: 'api', id: 'tok_1', requestId: 'req_1' },
      audit: null,
      key: null,
      clock: shops.clock,
    },
  );

const refundsOf = async (invoiceId: string) =>
  (await listRefunds(shops.pool, shops.merchant.sandbox.tenant, invoiceId))?.refunds ?? [];

test('a refund that began in the cabinet is seen once, and leaves no more than the rest', async () => {
  const { bank } = shops;
  const { invoiceId, id } = await paid();
  inCabinet(id, '1000.50');
  expect(await bank.deliver({ times: 3 })).toContain(200);
  expect(await refundsOf(invoiceId)).toMatchObject([
    { status: 'SUCCEEDED', amountMinor: 100_050n },
  ]);
  expect(await ask(invoiceId, 50_001n)).toMatchObject({ refusal: expect.anything() });
  expect(await ask(invoiceId, 50_000n)).toMatchObject({ refund: { status: 'SUCCEEDED' } });
  await bank.deliver();
  expect(await refundsOf(invoiceId)).toHaveLength(2);
  expect(bank.payment(null, id).refundedMinor).toBe(150_050n);
});

test('a pending refund of ours ends by its news, or by asking where none comes', async () => {
  const { bank } = shops;
  for (const isTold of [true, false]) {
    const { invoiceId } = await paid();
    bank.refundsBecome = 'pending';
    expect(await ask(invoiceId, 50_000n)).toMatchObject({ refund: { status: 'PENDING' } });
    const refund = [...bank.refunds.values()].at(-1);
    bank.endRefund(refund?.id ?? '', 'succeeded');
    if (isTold) {
      expect(await bank.deliver()).toEqual([200]);
    } else {
      shops.time.nowMs += 11_000;
      await recoverRefunds(shops.pool, { clock: shops.clock, limit: 100 });
    }
    expect(await refundsOf(invoiceId)).toMatchObject([{ status: 'SUCCEEDED' }]);
    bank.news.length = 0;
    bank.refundsBecome = 'succeeded';
  }
});

test('a forged refund gives nothing back here, and one that cannot be asked about comes again', async () => {
  const { bank, hooks } = shops;
  const { invoiceId, id } = await paid();
  const hookUrl = bank.shops.get('100500')?.hookUrl ?? '';
  expect(hookUrl).toContain(hooks.origin);
  const forged = {
    type: 'notification',
    event: 'refund.succeeded',
    object: { id: randomUUID(), payment_id: id, status: 'succeeded' },
  };
  expect(await bank.notify(hookUrl, forged)).toBe(200);
  inCabinet(id, '1.00');
  bank.faults.set('GET /refunds/:id', ['500']);
  expect(await bank.deliver()).toEqual([503]);
  expect(await refundsOf(invoiceId)).toEqual([]);
  expect(await bank.deliver()).toEqual([200]);
  expect(await refundsOf(invoiceId)).toMatchObject([{ amountMinor: 100n }]);
});
