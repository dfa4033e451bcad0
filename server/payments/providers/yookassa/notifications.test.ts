import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../lib/ids.ts';
import { openShops } from '../../../testing/acquirers/yookassa-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import { changeAccount } from '../../accounts/accounts.ts';
import { hookPath } from '../../addresses.ts';
import { openAttempt } from '../../mutations.ts';
import { writeStartRequest } from '../../start-request.ts';

let shops: Awaited<ReturnType<typeof openShops>>;

withOwnDataDir();
beforeAll(async () => {
  shops = await openShops();
});
afterAll(() => shops.close());
beforeEach(() => {
  shops.bank.faults.clear();
  shops.bank.news.length = 0;
});

const hookOf = (account = shops.account) => shops.hooks.origin + hookPath(account);
const paid = (id: string, attemptId: string, more = {}) => ({
  type: 'notification',
  event: 'payment.succeeded',
  object: {
    id,
    status: 'succeeded',
    paid: true,
    amount: { value: '1500.50', currency: 'RUB' },
    metadata: { attempt_id: attemptId },
    ...more,
  },
});

test('a forged notification of a real payment credits nothing while YooKassa says pending', async () => {
  const { bank, newInvoice, atPage, attemptsOf } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  const [attempt] = await attemptsOf(invoiceId);
  for (const told of [id, 'another']) {
    expect(await bank.notify(hookOf(), paid(told, attempt?.id ?? ''))).toBe(200);
  }
  expect(await shops.statusOf(invoiceId)).toBe('PENDING');
  expect(await shops.statusesOf(invoiceId)).toEqual(['challenge']);
});

test('while the question fails or hangs the answer is none of success, and a later one credits', async () => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  bank.pay(await atPage(invoiceId));
  for (const fault of ['500', 'cut before', 'cut after', 'too many', 'slow'] as const) {
    bank.faults.set('GET /payments/:id', [fault]);
    const sinceMs = performance.now();
    expect([fault, await bank.deliver()]).toEqual([fault, [503]]);
    expect(performance.now() - sinceMs).toBeLessThan(15_000);
    expect(await shops.statusOf(invoiceId)).toBe('PENDING');
  }
  expect(await bank.deliver()).toEqual([200]);
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
}, 40_000);

test('a notification that comes before its attempt comes again', async () => {
  const { bank, newInvoice, account, clock, attemptsOf, pool } = shops;
  const invoiceId = await newInvoice();
  const id = newId('pay', clock().getTime());
  const request = {
    attemptId: id,
    invoiceId,
    amountMinor: 150_050n,
    currency: 'RUB' as const,
    description: 'Билеты',
    buyerEmail: null,
    positions: [],
    locale: 'ru' as const,
    returnUrl: 'http://localhost:1/return',
    hookUrl: hookOf(),
    createdAtMs: clock().getTime(),
  };
  const provider = await shops.open(account);
  const made = await provider.start(request);
  const paymentId = 'authorisationId' in made ? (made.authorisationId ?? '') : '';
  bank.pay(paymentId);
  expect(await bank.deliver()).toEqual([503]);
  const attempt = {
    id,
    invoiceId,
    provider: 'yookassa',
    accountId: account.id,
    cardBrand: null,
    cardLast4: null,
    startRequest: writeStartRequest(request),
  };
  expect(await openAttempt(pool, attempt, clock())).toBe(true);
  expect(await bank.deliver()).toEqual([200]);
  expect(await attemptsOf(invoiceId)).toMatchObject([
    { status: 'captured', authorisationId: paymentId },
  ]);
});

test('a payment of another program in the same shop is none of ours', async () => {
  const { bank, account } = shops;
  const told = paid('2d7c1b5a-000f-5000-8000-18db351245c7', newId('pay', 1));
  expect(await bank.notify(hookOf(account), told)).toBe(200);
  const foreign = paid('2d7c1b5a-000f-5000-8000-18db351245c7', '', { metadata: { order: '7' } });
  expect(await bank.notify(hookOf(account), foreign)).toBe(200);
});

test('what is no notification is refused', async () => {
  const { bank } = shops;
  const wrong = [{}, [], { type: 'notification' }, { ...paid('x', 'y'), object: 'x' }];
  for (const body of wrong) expect(await bank.notify(hookOf(), body)).toBe(400);
});

test('another account’s notification or payment settles nothing', async () => {
  const { bank, newInvoice, atPage, attemptsOf, withReceipts } = shops;
  const [mine, others] = [await newInvoice(), await newInvoice()];
  const id = await atPage(mine);
  const [attempt] = await attemptsOf(mine);
  // The payment of one shop, told at the hook of the other.
  bank.pay(id);
  expect(await bank.notify(hookOf(withReceipts), paid(id, attempt?.id ?? ''))).toBe(200);
  expect(await shops.statusOf(mine)).toBe('PENDING');
  // One payment's id with another invoice's attempt.
  await atPage(others);
  const [other] = await attemptsOf(others);
  expect(await bank.notify(hookOf(), paid(id, other?.id ?? ''))).toBe(200);
  expect(await shops.statusOf(others)).toBe('PENDING');
  await bank.deliver();
  expect(await shops.statusOf(mine)).toBe('PAID');
});

test('an account that is switched off begins nothing, and ends what is under way', async () => {
  const { bank, newInvoice, atPage, start, account, pool, clock } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  const by = { actor: { type: 'operator', id: null, label: 'test' }, now: clock() } as const;
  await changeAccount(pool, account.id, 'disable', by);
  expect(await start(await newInvoice())).toEqual({ outcome: 'unavailable' });
  bank.pay(id);
  expect(await bank.deliver()).toEqual([200]);
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
  await changeAccount(pool, account.id, 'enable', by);
});
