import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { rememberFinal } from './final-views.ts';
import { type MerchantInvoices, oneByOneInvoices } from './merchant-invoices.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
let asked = 0;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const END_MS = Date.parse('2026-11-21T13:00:00.000Z');
const at = (timeMs: number) => ({ now: new Date(timeMs), actor: { type: 'api' } as const });

/** The real invoices, counting the database's queries. */
function counted(): MerchantInvoices {
  const invoices = oneByOneInvoices(database.pool);
  asked = 0;
  return {
    create: invoices.create,
    readStatus: (...args) => {
      asked += 1;
      return invoices.readStatus(...args);
    },
    cancel: (...args) => {
      asked += 1;
      return invoices.cancel(...args);
    },
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const create = (transactionId: string) =>
  createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now: NOW,
    merchantTransactionId: transactionId,
  });

test('a final status is asked for once, by id and by transaction; a pending one every time', async () => {
  const { tenant } = merchant.sandbox;
  const invoices = rememberFinal(counted());
  const id = await create('final');
  const references = [{ invoiceId: id }, { merchantTransactionId: 'final' }];
  for (const reference of references) {
    for (const time of [END_MS - 1, END_MS]) {
      expect((await invoices.readStatus(tenant, reference, at(time)))?.status).toBe('PENDING');
    }
  }
  expect(asked).toBe(4);
  const view = { invoiceId: id, status: 'EXPIRED', endDateMs: END_MS };
  for (const reference of [...references, ...references]) {
    expect(await invoices.readStatus(tenant, reference, at(END_MS + 1))).toEqual(view);
  }
  expect(asked).toBe(6);
  expect(await invoices.cancel(tenant, id, at(END_MS + 1))).toEqual({
    outcome: 'final',
    status: 'EXPIRED',
    view,
  });
  expect(asked).toBe(6);
});

test('what one merchant or environment was answered is not found by another', async () => {
  const other = await createMerchantFixture(database.pool);
  const invoices = rememberFinal(counted());
  const id = await create('scope');
  const { tenant } = merchant.sandbox;
  await invoices.cancel(tenant, id, at(END_MS));
  await invoices.readStatus(tenant, { merchantTransactionId: 'scope' }, at(END_MS));
  for (const stranger of [other.sandbox.tenant, merchant.production.tenant]) {
    for (const reference of [{ invoiceId: id }, { merchantTransactionId: 'scope' }]) {
      expect(await invoices.readStatus(stranger, reference, at(END_MS))).toBeNull();
    }
    expect(await invoices.cancel(stranger, id, at(END_MS))).toEqual({ outcome: 'not_found' });
  }
  asked = 0;
  expect((await invoices.cancel(tenant, id, at(END_MS))).outcome).toBe('canceled');
  expect(asked).toBe(0);
});

test('a transaction that is named like another invoice’s id is not taken for that invoice', async () => {
  const { tenant } = merchant.sandbox;
  const invoices = rememberFinal(counted());
  const id = await create('named by its id');
  const namesake = await create(id);
  await invoices.cancel(tenant, id, at(END_MS));
  const pending = await invoices.readStatus(tenant, { merchantTransactionId: id }, at(END_MS));
  expect(pending).toMatchObject({ invoiceId: namesake, status: 'PENDING' });
});

test('the memory is bounded: what was not asked for longest is asked for again', async () => {
  const { tenant } = merchant.sandbox;
  const invoices = rememberFinal(counted(), 2);
  const ids = [await create('a'), await create('b'), await create('c')];
  const [a = '', b = '', c = ''] = ids;
  for (const id of [a, b, a, c]) await invoices.cancel(tenant, id, at(END_MS));
  expect(asked).toBe(3);
  await invoices.cancel(tenant, a, at(END_MS));
  expect(asked).toBe(3);
  await invoices.cancel(tenant, b, at(END_MS));
  expect(asked).toBe(4);
});
