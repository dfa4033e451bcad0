import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { grantTenant } from '../merchants/tenant.ts';
import type { Environment } from '../merchants/types.ts';
import { connectAccount } from '../payments/accounts/accounts.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { insertAccountAttempt, insertAttempt } from '../testing/payments.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { listMerchantHealth } from './merchants.ts';
import {
  groupTroubles,
  listTroubles,
  readLateWork,
  type TroubleKind,
  worstFirst,
} from './troubles.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);

let database: TestDatabase;
let shop: MerchantFixture;
let account: Awaited<ReturnType<typeof connectAccount>>;
let invoiceId: string;

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { pool } = database;
  shop = await createMerchantFixture(pool);
  account = await connectAccount(pool, {
    merchantId: shop.id,
    environment: 'production',
    provider: 'payme',
    credentials: { merchant_id: '587f72c72cac0d162c722ae2', key: 'key' },
    actor: { type: 'operator', id: null, label: 'test' },
    now: ago(48),
  });
  invoiceId = await createTestInvoice(pool, shop.production.tenant, { now: ago(48) });
});

const run = (text: string, ...values: unknown[]) => database.pool.query(text, values);

/** What is found of the shop: each as its kind, environment, number and age in hours. */
async function found(): Promise<string[]> {
  const troubles = await listTroubles(database.pool, NOW);
  return troubles
    .filter(({ merchant }) => merchant.id === shop.id)
    .map(
      ({ kind, environment, count, sinceMs }) =>
        `${kind} ${environment} ${count} ${(NOW.getTime() - sinceMs) / HOUR_MS}`,
    );
}

async function callbacks(
  state: string,
  hours: number,
  count: number,
  attempts: number,
  environment: Environment = 'production',
) {
  const place = { merchantId: shop.id, environment, url: 'http://x/' };
  const ids = await insertDue(database.pool, { ...place, at: ago(hours), count });
  const change = 'state = $2::callback_state, attempt_count = $3';
  await run(`UPDATE callbacks SET ${change} WHERE invoice_id = ANY ($1)`, ids, state, attempts);
  return ids;
}

async function refund(hours: number, status: string, created = hours) {
  const id = `ref_${crypto.randomUUID()}`;
  await run(
    `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, account_id,
       amount_minor, currency, status, created_at, updated_at, recover_at)
     VALUES ($1, $2, 'production', $3, $4, $5, 100, 'USD', $6::refund_status, $7, $8, $8)`,
    id,
    shop.id,
    invoiceId,
    `pay_${invoiceId}`,
    account.id,
    status,
    ago(created),
    ago(hours),
  );
  return id;
}

const paid = () =>
  insertAccountAttempt(database.pool, {
    invoiceId,
    account,
    status: 'captured',
    createdAt: ago(48),
    recoverAt: null,
  });

async function person() {
  const id = `usr_${crypto.randomUUID()}`;
  await run(`INSERT INTO users (id, email) VALUES ($1, $1 || '@example.com')`, id);
  return id;
}

/** Each kind of trouble: how it comes, what is then found, and how it goes. */
const CASES: Record<TroubleKind, { make(): Promise<unknown>; finds: string; mend: string }> = {
  accountDown: {
    make: () =>
      run('UPDATE acquirer_accounts SET down_since = $2 WHERE id = $1', account.id, ago(2)),
    finds: 'accountDown production 1 2',
    mend: `UPDATE acquirer_accounts SET down_since = NULL WHERE id = '{account}'`,
  },
  paymentsOverdue: {
    make: () =>
      insertAccountAttempt(database.pool, {
        invoiceId,
        account,
        status: 'capturing',
        createdAt: ago(3),
        recoverAt: ago(1),
      }),
    finds: 'paymentsOverdue production 1 3',
    mend: `UPDATE payment_attempts SET status = 'captured', recover_at = NULL WHERE invoice_id = '{invoice}'`,
  },
  recoveryFails: {
    make: () =>
      insertAttempt(database.pool, {
        invoiceId,
        status: 'voiding',
        updatedAt: ago(4),
        recoverAt: NOW,
      }),
    finds: 'recoveryFails production 1 4',
    mend: `UPDATE payment_attempts SET status = 'voided', recover_at = NULL WHERE invoice_id = '{invoice}'`,
  },
  refundsOverdue: {
    make: async () => {
      await paid();
      await refund(5, 'PENDING');
    },
    finds: 'refundsOverdue production 1 5',
    mend: `UPDATE refunds SET status = 'SUCCEEDED', recover_at = NULL WHERE invoice_id = '{invoice}'`,
  },
  captureLate: {
    make: async () => {
      const times = { updatedAt: ago(25), recoverAt: new Date(NOW.getTime() + 60_000) };
      const id = await insertAttempt(database.pool, { invoiceId, status: 'capturing', ...times });
      await run('UPDATE payment_attempts SET updated_at = $2 WHERE id = $1', id, NOW);
    },
    finds: 'captureLate production 1 25',
    mend: `UPDATE payment_attempts SET status = 'captured', recover_at = NULL WHERE invoice_id = '{invoice}'`,
  },
  refundsFailed: {
    make: async () => {
      await paid();
      await refund(6, 'FAILED');
    },
    finds: 'refundsFailed production 1 6',
    // Tried again, with success.
    mend: `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, account_id,
             amount_minor, currency, status, created_at, updated_at)
           SELECT id || '2', merchant_id, environment, invoice_id, attempt_id, account_id,
             amount_minor, currency, 'SUCCEEDED', created_at + interval '1 hour', updated_at
           FROM refunds WHERE invoice_id = '{invoice}'`,
  },
  booksDiffer: {
    make: () =>
      run(
        `INSERT INTO book_differences (id, account_id, kind, what, acquirer_id, at, found_at, seen_at)
         VALUES ('dif_' || $1::text, $1, 'payment', 'missing_here', 'x', $2, $2, $2)`,
        account.id,
        ago(7),
      ),
    finds: 'booksDiffer production 1 7',
    mend: `UPDATE book_differences SET settled_at = now() WHERE account_id = '{account}'`,
  },
  comparisonFails: {
    make: () =>
      run(
        `UPDATE acquirer_accounts SET compare_fault = 'x', compared_at = $2 WHERE id = $1`,
        account.id,
        ago(8),
      ),
    finds: 'comparisonFails production 1 8',
    mend: `UPDATE acquirer_accounts SET compare_fault = NULL WHERE id = '{account}'`,
  },
  callbacksFailing: {
    make: () => callbacks('pending', 1, 3, 2),
    finds: 'callbacksFailing production 3 1',
    mend: `UPDATE callbacks SET state = 'delivered' WHERE merchant_id = '{shop}'`,
  },
  callbacksExhausted: {
    make: () => callbacks('exhausted', 30, 2, 9),
    finds: 'callbacksExhausted production 2 30',
    mend: `UPDATE callbacks SET state = 'delivered' WHERE merchant_id = '{shop}'`,
  },
  emailsFail: {
    make: () =>
      run(
        `INSERT INTO receipt_emails
           (id, invoice_id, kind, address, locale, state, next_attempt_at, created_at, ended_at)
         VALUES ('eml_' || $1::text, $1, 'paid', 'a@example.com', 'en', 'failed', $2, $2, $2)`,
        invoiceId,
        ago(9),
      ),
    finds: 'emailsFail production 1 9',
    mend: `UPDATE receipt_emails SET state = 'sent' WHERE invoice_id = '{invoice}'`,
  },
  noticesFail: {
    make: async () =>
      run(
        `INSERT INTO notices (id, user_id, merchant_id, environment, channel, subject, content,
           attempt_count, reason, next_attempt_at, created_at)
         VALUES ('not_' || $1::text, $2, $1, 'production', 'email', 's', '{}', 2, 'no server', $3, $4)`,
        shop.id,
        await person(),
        NOW,
        ago(1),
      ),
    finds: 'noticesFail production 1 1',
    mend: `UPDATE notices SET state = 'sent' WHERE merchant_id = '{shop}'`,
  },
};

it.each(Object.entries(CASES))('%s is found, and no more once it is mended', async (_, trouble) => {
  expect(await found()).toEqual([]);
  await trouble.make();
  expect(await found()).toEqual([trouble.finds]);
  const mend = trouble.mend
    .replaceAll('{shop}', shop.id)
    .replaceAll('{account}', account.id)
    .replaceAll('{invoice}', invoiceId);
  await run(mend);
  expect(await found()).toEqual([]);
});

it('a callback that failed once, a young capture, and what was given up last week are none', async () => {
  await callbacks('pending', 1, 1, 1);
  await callbacks('pending', 1, 1, 0);
  await callbacks('exhausted', 8 * 24, 1, 9);
  await insertAttempt(database.pool, {
    invoiceId,
    status: 'capturing',
    updatedAt: ago(0.01),
    recoverAt: new Date(NOW.getTime() + 60_000),
  });
  expect(await found()).toEqual([]);
});

it('the worst comes first, with its account and its oldest invoice; sandbox stands apart', async () => {
  await CASES.callbacksExhausted.make();
  await CASES.accountDown.make();
  const [oldest] = await callbacks('exhausted', 40, 1, 9);
  await callbacks('exhausted', 1, 1, 9, 'sandbox');
  const all = (await listTroubles(database.pool, NOW)).filter((t) => t.merchant.id === shop.id);
  const groups = groupTroubles(all, 'production');
  expect(groups).toMatchObject([
    { kind: 'accountDown', more: 0, troubles: [{ account: { id: account.id } }] },
    { kind: 'callbacksExhausted', more: 0, troubles: [{ count: 3, invoiceId: oldest }] },
  ]);
  expect(groupTroubles(all, 'sandbox')).toMatchObject([
    { kind: 'callbacksExhausted', troubles: [{ count: 1, environment: 'sandbox' }] },
  ]);
});

it('work that no worker takes in time is late, until it is done', async () => {
  expect(await readLateWork(database.pool, NOW)).toBeNull();
  await run(
    `INSERT INTO receipt_emails (id, invoice_id, kind, address, locale, next_attempt_at, created_at)
     VALUES ('eml_late', $1, 'paid', 'a@example.com', 'en', $2, $2)`,
    invoiceId,
    ago(1),
  );
  expect(await readLateWork(database.pool, NOW)).toEqual({
    count: 1,
    isMore: false,
    sinceMs: ago(1).getTime(),
  });
  await run(`UPDATE receipt_emails SET state = 'sent'`);
  expect(await readLateWork(database.pool, NOW)).toBeNull();
});

it('the merchants whose money is stuck come first, then those whose callbacks fail, then the rest', async () => {
  const { pool } = database;
  const first = shop;
  await CASES.booksDiffer.make();
  shop = await createMerchantFixture(pool);
  await callbacks('exhausted', 1, 30, 9);
  const second = shop;
  shop = await createMerchantFixture(pool);
  await callbacks('exhausted', 1, 2, 9);
  const worst = worstFirst(await listTroubles(pool, NOW));
  const own = [first, second, shop].map(({ id }) => id);
  expect(worst.filter((id) => own.includes(id))).toEqual(own);
  const { id: well } = await createMerchantFixture(pool);
  const page = { search: '', environment: 'production', now: NOW, tenantOf: grantTenant } as const;
  const ids: string[] = [];
  for (let number = 1, isMore = true; isMore; number++) {
    const listed = await listMerchantHealth(pool, {
      ...page,
      first: worst,
      page: number,
      limit: 3,
    });
    ids.push(...listed.merchants.map(({ id }) => id));
    isMore = listed.isMore;
  }
  expect(ids.slice(0, worst.length)).toEqual(worst);
  expect(ids).toContain(well);
  expect(new Set(ids).size).toBe(ids.length);
});
