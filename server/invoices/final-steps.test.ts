import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cancelInvoice, cancelInvoiceBy } from './cancel.ts';
import { coalescedSteps } from './coalesced.ts';
import { readStatusBy } from './data.ts';
import { expireInvoiceNow } from './expire.ts';
import { settleInvoice } from './settle.ts';
import { type InvoiceSteps, stepsOn } from './steps.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const AFTER_END = new Date('2026-11-21T14:00:00.000Z');
const at = (now: Date) => ({ now, actor: { type: 'api' } as const });
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

async function createClaimed(attemptId: string): Promise<string> {
  const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });
  const claim = 'UPDATE invoices SET capture_attempt_id = $2 WHERE id = $1';
  await database.pool.query(claim, [id, attemptId]);
  return id;
}

async function createCanceled(): Promise<string> {
  const { tenant } = merchant.sandbox;
  const id = await createTestInvoice(database.pool, tenant, { now: NOW });
  await cancelInvoice(database.pool, tenant, id, at(NOW));
  return id;
}

/** The steps, and the ones taken. */
function counted(): { steps: InvoiceSteps; taken: string[] } {
  const taken: string[] = [];
  const all = stepsOn(database.pool);
  const steps: InvoiceSteps = {
    findStatusRow: (...args) => {
      taken.push('find');
      return all.findStatusRow(...args);
    },
    cancel: (row) => {
      taken.push('cancel');
      return all.cancel(row);
    },
    expire: (row) => {
      taken.push('expire');
      return all.expire(row);
    },
  };
  return { steps, taken };
}

test('a cancel of a PAID invoice is answered that it is final, though it has the claim of its capture', async () => {
  const { tenant } = merchant.sandbox;
  const invoiceId = await createClaimed('pay_final');
  const payment = { invoiceId, attemptId: 'pay_final', extraData: {} };
  expect(await settleInvoice(database.pool, payment, at(NOW))).toBe(true);
  const answer = await cancelInvoice(database.pool, tenant, invoiceId, at(NOW));
  expect(answer).toMatchObject({ outcome: 'final', status: 'PAID' });
});

test.each([
  ['a CANCELED invoice', createCanceled, 'CANCELED'],
  ['one that is being paid', () => createClaimed('pay_other'), 'PENDING'],
])('%s is read by one step past its end: no read would end it', async (_, create, status) => {
  const { tenant } = merchant.sandbox;
  const { steps, taken } = counted();
  const reference = { invoiceId: await create() };
  const view = await readStatusBy(steps, tenant, reference, { now: AFTER_END });
  expect(view).toMatchObject({ status });
  expect(taken).toEqual(['find']);
});

test('a cancel while a payment is being completed is tried once', async () => {
  const { tenant } = merchant.sandbox;
  const { steps, taken } = counted();
  const id = await createClaimed('pay_third');
  const answer = await cancelInvoiceBy(steps, tenant, id, at(NOW));
  expect(answer).toEqual({ outcome: 'payment_in_progress' });
  expect(taken).toEqual(['cancel', 'find']);
});

test('a cancel that a capture refused which has failed since is tried again', async () => {
  const { tenant } = merchant.sandbox;
  const { steps, taken } = counted();
  const id = await createClaimed('pay_failed');
  const release = 'UPDATE invoices SET capture_attempt_id = NULL WHERE id = $1';
  const released: InvoiceSteps = {
    ...steps,
    cancel: (row) => steps.cancel(row).finally(() => database.pool.query(release, [id])),
  };
  expect(await cancelInvoiceBy(released, tenant, id, at(NOW))).toMatchObject({
    outcome: 'canceled',
    isNew: true,
  });
  expect(taken).toEqual(['cancel', 'find', 'find', 'cancel']);
});

test('of one batch, another tenant’s cancel takes nothing from the owner’s', async () => {
  const invoiceId = await createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });
  const steps = coalescedSteps(database.pool);
  const [others, own] = await Promise.all(
    [merchant.production.tenant, merchant.sandbox.tenant].map((tenant) =>
      steps.cancel({ invoiceId, tenant, ...at(NOW) }),
    ),
  );
  expect(others).toBeNull();
  expect(own).toMatchObject({ id: invoiceId, status: 'CANCELED' });
});

test('one that was ended before its time is EXPIRED, whoever asks again', async () => {
  const { tenant } = merchant.sandbox;
  const id = await createTestInvoice(database.pool, tenant, { now: NOW });
  for (let time = 0; time < 2; time++) {
    const answer = await expireInvoiceNow(database.pool, tenant, id, at(NOW));
    expect(answer).toMatchObject({ outcome: 'expired', view: { status: 'EXPIRED' } });
  }
});
