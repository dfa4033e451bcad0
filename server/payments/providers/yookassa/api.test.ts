import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyerEmailOf } from '../../../lib/buyer-email.ts';
import { CURRENCIES, MAX_AMOUNT_MINOR } from '../../../lib/money.ts';
import { openShops, SECRET_KEY } from '../../../testing/acquirers/yookassa-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import { checkAccount, connectAccount } from '../../accounts/accounts.ts';
import { methodsOf } from '../../accounts/methods.ts';
import type { StartRequest } from '../../start-request.ts';
import { fromAmount, toAmount } from './api.ts';
import { linesOf } from './receipt.ts';

let shops: Awaited<ReturnType<typeof openShops>>;

withOwnDataDir();
beforeAll(async () => {
  shops = await openShops();
});
afterAll(() => shops.close());

const EDGES = [1n, 7n, 10n, 99n, 100n, 7_999n, 50_999n, 3_313_973n, 10n ** 12n];

test('a sum to YooKassa and back is the same, by two digits behind the point', () => {
  const minor = fc.oneof(fc.constantFrom(...EDGES), fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR }));
  fc.assert(
    fc.property(minor, fc.constantFrom(...CURRENCIES), (amountMinor, currency) => {
      const amount = toAmount(amountMinor, currency);
      expect(amount.value).toMatch(/^\d+\.\d\d$/);
      expect(fromAmount(amount)).toEqual({ amountMinor, currency });
    }),
  );
  expect(toAmount(100_000n, 'RUB')).toEqual({ value: '1000.00', currency: 'RUB' });
  expect(toAmount(5n, 'RUB').value).toBe('0.05');
});

test('100, 100.0 and 100.00 are one sum, and what is none is not read', () => {
  for (const value of ['100', '100.0', '100.00']) {
    expect(fromAmount({ value, currency: 'RUB' }).amountMinor).toBe(10_000n);
  }
  for (const value of ['', '1e3', '1,00', '1.001', '-1.00', 'NaN']) {
    expect(() => fromAmount({ value, currency: 'RUB' })).toThrow('a sum');
  }
});

test('the lines of a receipt add up to the payment', () => {
  const line = fc.record({
    title: fc.string({ minLength: 1 }),
    amountMinor: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  });
  const given = fc.record({
    positions: fc.array(line, { maxLength: 120 }),
    off: fc.constantFrom(0n, 0n, 1n),
  });
  fc.assert(
    fc.property(given, ({ positions, off }) => {
      const amountMinor = positions.reduce((sum, each) => sum + each.amountMinor, 1n) - 1n + off;
      fc.pre(amountMinor > 0n);
      const request = { positions, amountMinor, description: 'Заказ' } as unknown as StartRequest;
      const lines = linesOf(request);
      expect(lines.reduce((sum, each) => sum + each.amountMinor, 0n)).toBe(amountMinor);
      expect(lines.length).toBeLessThanOrEqual(100);
      expect(lines.every((each) => each.amountMinor > 0n)).toBe(true);
    }),
  );
});

test('a key of the other environment connects nothing', async () => {
  const { pool, merchant, clock } = shops;
  const given = {
    merchantId: merchant.id,
    provider: 'yookassa',
    actor: { type: 'operator', id: null, label: 'test' } as const,
    now: clock(),
  };
  const keys = { sandbox: 'live_abc', production: 'test_abc' } as const;
  for (const environment of ['sandbox', 'production'] as const) {
    const credentials = { shop_id: '100500', secret_key: keys[environment] };
    await expect(
      connectAccount(pool, { ...given, environment, credentials }),
    ).rejects.toMatchObject({
      code: 'credential_misplaced',
    });
  }
  const unlike = { shop_id: '100500', secret_key: 'abc' };
  await expect(
    connectAccount(pool, { ...given, environment: 'sandbox', credentials: unlike }),
  ).rejects.toMatchObject({ code: 'credential_invalid' });
  const vat = { shop_id: '100500', secret_key: SECRET_KEY, vat_code: '13' };
  await expect(
    connectAccount(pool, { ...given, environment: 'sandbox', credentials: vat }),
  ).rejects.toMatchObject({ code: 'credential_invalid' });
});

test('a check tells what does not fit', async () => {
  const { bank, connect, pool, clock, account, withReceipts } = shops;
  const faultOf = async (id: string) => (await checkAccount(pool, id, clock())).checkFault;
  expect(await faultOf(account.id)).toBeNull();
  expect(await faultOf(withReceipts.id)).toBeNull();
  const wrong = await connect({ shop_id: '100500', secret_key: 'test_wrong' });
  expect(await faultOf(wrong.id)).toEqual({
    code: 'credentials_refused',
    detail: 'invalid_credentials',
  });
  const without = await connect({ shop_id: '100501' });
  expect(await faultOf(without.id)).toMatchObject({ code: 'receipts_unset' });
  const shop = bank.shops.get('100500');
  if (shop) shop.isEnabled = false;
  expect(await faultOf(account.id)).toEqual({ code: 'shop_disabled', detail: 'disabled' });
  if (shop) shop.isTest = false;
  expect(await faultOf(account.id)).toMatchObject({ code: 'wrong_environment' });
  if (shop) Object.assign(shop, { isEnabled: true, isTest: true });
});

test('money of the other environment neither begins nor settles anything', async () => {
  const { bank, newInvoice, atPage, start } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  const shop = bank.shops.get('100500');
  if (shop) shop.isTest = false;
  bank.pay(id);
  expect(await bank.deliver()).toEqual([503]);
  expect(await shops.statusOf(invoiceId)).toBe('PENDING');
  expect(await start(await newInvoice())).not.toMatchObject({ outcome: 'elsewhere' });
  if (shop) shop.isTest = true;
  expect(await bank.deliver()).toEqual([200]);
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
});

test('an account that sends receipts begins nothing without an address, and keeps each page’s own', async () => {
  const { bank, newInvoice, withReceipts, account, attemptsOf } = shops;
  const invoiceId = await newInvoice();
  const start = (buyerEmail: string | null, at = withReceipts) =>
    shops.start(invoiceId, at, buyerEmail);
  expect(await start(null)).toEqual({ outcome: 'email_demanded' });
  expect(await attemptsOf(invoiceId)).toEqual([]);
  const first = await start('a@example.com');
  expect(await start('a@example.com')).toEqual(first);
  const corrected = await start('b@example.com');
  expect(corrected).toMatchObject({ outcome: 'elsewhere' });
  expect(corrected).not.toEqual(first);
  const told = bank.of(invoiceId).map(({ receipt }) => receipt?.customer?.email);
  expect(told).toEqual(['a@example.com', 'b@example.com']);
  // An address that nobody asked for is not kept.
  await start('c@example.com', account);
  const [newest] = await attemptsOf(invoiceId);
  expect(newest?.startRequest?.buyerEmail).toBeNull();
});

test('a method asks for an address where its account sends receipts', async () => {
  const { pool, merchant, account, withReceipts } = shops;
  const invoice = {
    merchantId: merchant.id,
    environment: 'sandbox',
    amountMinor: 100n,
    currency: 'RUB',
  } as const;
  const asking = (await methodsOf(pool, invoice)).flatMap((each) =>
    each.kind === 'account' ? [[each.id, each.asksEmail]] : [],
  );
  expect(Object.fromEntries(asking)).toMatchObject({
    [account.id]: false,
    [withReceipts.id]: true,
  });
  expect(await methodsOf(pool, { ...invoice, amountMinor: 99n })).toMatchObject([{ kind: 'card' }]);
});

test('a typed address is taken where a receipt can be sent to it', () => {
  const good = ['a@example.com', ' Anna.K+1@mail.example.com ', 'kim@xn--e1afmkfd.xn--p1ai'];
  expect(good.map(buyerEmailOf)).toEqual(good.map((each) => each.trim()));
  const bad = ['', 'a', 'a@b', '@example.com', 'a b@example.com', 'a@example.com, b@example.com'];
  expect(bad.map(buyerEmailOf)).toEqual(bad.map(() => null));
  expect(buyerEmailOf(`a@${'b'.repeat(250)}.com`)).toBeNull();
});
