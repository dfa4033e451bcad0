import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordCheck } from '../merchants/acquirer-accounts.ts';
import { connectMulticard } from '../testing/acquirers/multicard-account.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { insertAccountAttempt } from '../testing/payments.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { countOverdueRefunds, listOverdueRefunds } from './overdue.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SOON = new Date(NOW.getTime() + MINUTE_MS);

let database: TestDatabase;
let merchant: MerchantFixture;
let account: { id: string; provider: string };

withOwnDataDir();
beforeEach(async () => {
  database = await createTestDatabase(2);
  merchant = await createMerchantFixture(database.pool);
  account = await connectMulticard(database.pool, { merchantId: merchant.id, secret: 'sec' }, NOW);
});
afterEach(() => database.drop());

type More = { recoverAt?: Date | null; reference?: string; status?: 'SUCCEEDED' | 'FAILED' };

/** Inserts a refund of that age; returns its id. */
async function refund(ageMs: number, { recoverAt = SOON, reference, status }: More = {}) {
  const { pool } = database;
  const createdAt = new Date(NOW.getTime() - ageMs);
  const invoiceId = await createTestInvoice(pool, merchant.sandbox.tenant, { now: NOW });
  const attemptId = await insertAccountAttempt(pool, {
    ...{ invoiceId, account, createdAt },
    status: 'captured',
    recoverAt: null,
  });
  const id = `ref_${invoiceId}`;
  await pool.query(
    `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, account_id,
       amount_minor, currency, status, reference, created_at, updated_at, recover_at)
     VALUES ($1, $2, 'sandbox', $3, $4, $5, 400, 'USD', $6, $7, $8, $8, $9)`,
    [
      ...[id, merchant.id, invoiceId, attemptId, account.id, status ?? 'PENDING'],
      ...[reference ?? null, createdAt, recoverAt],
    ],
  );
  return id;
}

const listedIds = async () =>
  (await listOverdueRefunds(database.pool, NOW)).flatMap(({ items }) => items.map(({ id }) => id));

it.each([
  ['that the acquirer has not answered', 11 * MINUTE_MS, undefined],
  ['that the acquirer has accepted', 3 * DAY_MS, 're_1'],
])('one %s is overdue after its time', async (_, afterMs, reference) => {
  await refund(afterMs - 1);
  await database.pool.query('UPDATE refunds SET reference = $1', [reference && `${reference}_b`]);
  const overdue = await refund(afterMs, { ...(reference && { reference }) });
  expect(await listedIds()).toEqual([overdue]);
});

it('one that nobody looks at any more, or whose look is long due, is overdue at once', async () => {
  const ended = await refund(2 * MINUTE_MS, { recoverAt: null, reference: 're_1' });
  const due = await refund(3 * MINUTE_MS, { recoverAt: new Date(NOW.getTime() - MINUTE_MS) });
  await refund(MINUTE_MS - 1, { recoverAt: null });
  await refund(DAY_MS, { recoverAt: null, status: 'SUCCEEDED' });
  await refund(DAY_MS, { recoverAt: null, status: 'FAILED' });
  expect(await listedIds()).toEqual([due, ended]);
});

it('while its acquirer is down, one without an answer is overdue, and no accepted one', async () => {
  const asked = await refund(2 * MINUTE_MS);
  await refund(2 * MINUTE_MS, { reference: 're_1' });
  expect(await listedIds()).toEqual([]);
  await database.pool.query('UPDATE acquirer_accounts SET down_since = $1', [NOW]);
  expect(await listedIds()).toEqual([asked]);
});

it('they stand by account with their sum, since when, and what the acquirer said last', async () => {
  await recordCheck(database.pool, account.id, { code: 'unexpected_answer', detail: '503' }, NOW);
  const accepted = await refund(4 * DAY_MS, { reference: 're_1' });
  const unanswered = await refund(20 * MINUTE_MS);
  const item = { amountMinor: 400n, currency: 'USD', nextLookAtMs: SOON.getTime() };
  expect(await listOverdueRefunds(database.pool, NOW)).toMatchObject([
    {
      id: account.id,
      merchantId: merchant.id,
      title: 'Multicard',
      checkFault: { code: 'unexpected_answer', detail: '503' },
      count: 2,
      oldestAtMs: NOW.getTime() - 4 * DAY_MS,
      items: [
        { ...item, id: accepted, isAccepted: true, acquirerIds: ['re_1'] },
        { ...item, id: unanswered, isAccepted: false, acquirerIds: [] },
      ],
    },
  ]);
  expect(await countOverdueRefunds(database.pool, NOW)).toEqual({ count: 2, isMore: false });
});
