import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith } from '../testing/payments.ts';
import {
  ADDRESS_LIMIT,
  ATTACKED_ADDRESS_LIMIT,
  belowLimitAtMs,
  listExcesses,
  MAX_LIFE_ATTEMPTS,
  MERCHANT_LIMIT,
  nextTryAtMs,
  TRIES_WINDOW_MS,
  throttledUntilMs,
} from './card-testing.ts';
import { listAttempts } from './data.ts';
import { payInvoice } from './pay.ts';
import { answerSandboxChallenge } from './providers/sandbox/sandbox-challenge.ts';
import { type SandboxOutcome, testCardFor } from './providers/sandbox/test-cards.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60_000;

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newAddress = () => `198.51.100.${++serial}`;
const newMerchant = () => createMerchantFixture(database.pool);

function order({ sandbox }: MerchantFixture): Promise<string> {
  const endDateMs = NOW.getTime() + DAY_MS;
  return createTestInvoice(database.pool, sandbox.tenant, { now: NOW, endDateMs });
}

const orders = (merchant: MerchantFixture, count: number) =>
  Promise.all(Array.from({ length: count }, () => order(merchant)));

type From = { address?: string; atMs?: number; pool?: TestDatabase['pool'] };

function pay(
  invoiceId: string,
  outcome: SandboxOutcome,
  { address, atMs = NOW.getTime(), pool = database.pool }: From,
) {
  return payInvoice(pool, invoiceId, cardWith(testCardFor(outcome).number), {
    clock: () => new Date(atMs),
    actor: { type: 'buyer' },
    address,
    waitMs: 5_000,
    onLateError: (error) => {
      throw error;
    },
  });
}

/** Declines this many tries from one address, each for an invoice of its own. */
async function decline(merchant: MerchantFixture, count: number, from: From): Promise<void> {
  for (const id of await orders(merchant, count)) {
    expect(await pay(id, 'generic_decline', from)).toMatchObject({ outcome: 'attempted' });
  }
}

/** Declines tries from several addresses, none of which reaches its own limit. */
async function attack(merchant: MerchantFixture): Promise<void> {
  await decline(merchant, MERCHANT_LIMIT / 2, { address: newAddress() });
  await decline(merchant, MERCHANT_LIMIT / 2, { address: newAddress() });
}

const THROTTLED = { outcome: 'throttled', waitMs: TRIES_WINDOW_MS };

describe('an address', () => {
  test('has so many tries declined, be they sent at once, and is told when it may go on', async () => {
    const address = newAddress();
    const ids = await orders(await newMerchant(), 60);
    const paid = await Promise.all(ids.map((id) => pay(id, 'generic_decline', { address })));
    expect(paid.filter(({ outcome }) => outcome === 'attempted')).toHaveLength(ADDRESS_LIMIT);
    expect(paid.filter(({ outcome }) => outcome !== 'attempted')).toEqual(
      new Array(ids.length - ADDRESS_LIMIT).fill(THROTTLED),
    );
    const untilMs = NOW.getTime() + TRIES_WINDOW_MS;
    const [id = ''] = ids;
    expect(await pay(id, 'approved', { address, atMs: untilMs - 1 })).toEqual({
      outcome: 'throttled',
      waitMs: 1,
    });
    expect(await pay(id, 'approved', { address, atMs: untilMs })).toMatchObject({
      attempt: { status: 'captured' },
    });
  });

  test('has them at whichever merchant, and other addresses have theirs', async () => {
    const address = newAddress();
    await decline(await newMerchant(), ADDRESS_LIMIT, { address });
    const id = await order(await newMerchant());
    expect(await pay(id, 'approved', { address })).toEqual(THROTTLED);
    expect(await listAttempts(database.pool, id)).toEqual([]);
    expect(await pay(id, 'approved', { address: newAddress() })).toMatchObject({
      attempt: { status: 'captured' },
    });
  });

  test('has them in each environment by itself', async () => {
    const address = newAddress();
    const merchant = await newMerchant();
    await decline(merchant, ADDRESS_LIMIT, { address });
    const until = (environment: 'sandbox' | 'production') =>
      throttledUntilMs(
        database.pool,
        { addressKey: address, merchantId: merchant.id, environment },
        NOW,
      );
    expect(await until('sandbox')).toBe(NOW.getTime() + TRIES_WINDOW_MS);
    expect(await until('production')).toBeNull();
  });

  test('of a crowd that pays honestly never waits, though a third of the cards are declined', async () => {
    const address = newAddress();
    const ids = await orders(await newMerchant(), 120);
    for (const [nth, id] of ids.entries()) {
      const outcome = nth % 3 === 0 ? 'insufficient_funds' : 'approved';
      expect(await pay(id, outcome, { address })).toMatchObject({ outcome: 'attempted' });
    }
  });

  test('waits neither for what waits at the bank nor for a bank that is out of order', async () => {
    const address = newAddress();
    const merchant = await newMerchant();
    for (const outcome of ['challenge_approved', 'processing_error'] as const) {
      for (const id of await orders(merchant, ADDRESS_LIMIT)) {
        expect(await pay(id, outcome, { address })).toMatchObject({ outcome: 'attempted' });
      }
    }
    const id = await order(merchant);
    expect(await pay(id, 'approved', { address })).toMatchObject({ outcome: 'attempted' });
  });

  test('waits for challenges that failed as for cards that were declined', async () => {
    const address = newAddress();
    const merchant = await newMerchant();
    await decline(merchant, ADDRESS_LIMIT - 1, { address });
    const id = await order(merchant);
    const opened = await pay(id, 'challenge_failed', { address });
    if (opened.outcome !== 'attempted') throw new Error(opened.outcome);
    const challenge = { invoiceId: id, attemptId: opened.attempt.id, answer: 'fail' } as const;
    const options = { clock: () => NOW, actor: { type: 'buyer' } } as const;
    await answerSandboxChallenge(database.pool, challenge, options);
    expect(await pay(id, 'approved', { address })).toEqual(THROTTLED);
  });

  test('hears nothing of it beside a payment of that invoice that is at work', async () => {
    const address = newAddress();
    const merchant = await newMerchant();
    const id = await order(merchant);
    await payInvoice(database.pool, id, cardWith(testCardFor('slow_approved').number), {
      clock: () => NOW,
      actor: { type: 'buyer' },
      waitMs: 50,
      onLateError: () => undefined,
    });
    await decline(merchant, ADDRESS_LIMIT, { address });
    expect(await pay(id, 'approved', { address })).toEqual({ outcome: 'in_progress' });
  });
});

describe('a merchant under attack', () => {
  test('is open to every address but those that had some cards declined themselves', async () => {
    const merchant = await newMerchant();
    const buyer = newAddress();
    await attack(merchant);
    await decline(merchant, ATTACKED_ADDRESS_LIMIT - 1, { address: buyer });
    const id = await order(merchant);
    expect(await pay(id, 'incorrect_cvc', { address: buyer })).toMatchObject({
      outcome: 'attempted',
    });
    expect(await pay(id, 'approved', { address: buyer })).toEqual(THROTTLED);
    expect(await pay(id, 'approved', { address: newAddress() })).toMatchObject({
      attempt: { status: 'captured' },
    });
    const elsewhere = await order(await newMerchant());
    expect(await pay(elsewhere, 'approved', { address: buyer })).toMatchObject({
      attempt: { status: 'captured' },
    });
  });

  test('is known by the tries of its buyers alone, not by tests of its own', async () => {
    const [attacked, tested] = [await newMerchant(), await newMerchant()];
    await attack(attacked);
    await decline(tested, MERCHANT_LIMIT, {});
    const found = await listExcesses(database.pool, {
      now: NOW,
      atLeast: MERCHANT_LIMIT,
      limit: 1_000,
    });
    const of = ({ id }: MerchantFixture) => found.find(({ merchantId }) => merchantId === id);
    expect(of(attacked)).toMatchObject({ environment: 'sandbox', excess: MERCHANT_LIMIT });
    expect(of(tested)).toBeUndefined();
  });

  test('a merchant’s own tests meet no limit of an address, whatever buyers do', async () => {
    const merchant = await newMerchant();
    await attack(merchant);
    await decline(merchant, ADDRESS_LIMIT + 1, {});
  });
});

describe('an invoice', () => {
  test('takes so many tries in its life, and not one more from whichever address and web', async () => {
    const id = await order(await newMerchant());
    const otherWeb = openPool(database.url, 2);
    let atMs = NOW.getTime();
    for (let made = 1; made < MAX_LIFE_ATTEMPTS; made++) {
      atMs += TRIES_WINDOW_MS / 5;
      await pay(id, 'generic_decline', { address: newAddress(), atMs });
    }
    expect(nextTryAtMs(await listAttempts(database.pool, id), new Date(atMs))).toBeNull();
    const last = await Promise.all(
      [database.pool, otherWeb].map((pool) => pay(id, 'generic_decline', { atMs, pool })),
    );
    expect(last.filter(({ outcome }) => outcome === 'attempted')).toHaveLength(1);
    const attempts = await listAttempts(database.pool, id);
    expect(attempts).toHaveLength(MAX_LIFE_ATTEMPTS);
    expect(nextTryAtMs(attempts, new Date(atMs))).toBe(Number.POSITIVE_INFINITY);
    atMs += DAY_MS / 2;
    expect(await pay(id, 'approved', { address: newAddress(), atMs })).toEqual({
      outcome: 'too_many_attempts',
    });
    await otherWeb.end();
  });
});

test('the time that is told is the first at which the tries are below the limit', () => {
  const tries = fc
    .array(
      fc.record({ endsAtMs: fc.nat(100), outcome: fc.constantFrom('declined', 'paid', 'at_work') }),
    )
    .map((list) => list.sort((a, b) => a.endsAtMs - b.endsAtMs));
  const excessAt = (list: readonly { endsAtMs: number; outcome: string }[], atMs: number) =>
    list
      .filter(({ endsAtMs }) => endsAtMs > atMs)
      .reduce((sum, { outcome }) => sum + (outcome === 'paid' ? -1 : 1), 0);
  fc.assert(
    fc.property(tries, fc.integer({ min: 1, max: 5 }), (list, limit) => {
      const told = belowLimitAtMs(list as Parameters<typeof belowLimitAtMs>[0], limit) ?? -1;
      const times = [-1, ...list.map(({ endsAtMs }) => endsAtMs)];
      expect(told).toBe(times.find((atMs) => excessAt(list, atMs) < limit));
    }),
  );
});
