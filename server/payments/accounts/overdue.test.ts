import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordCall, recordCheck } from '../../merchants/acquirer-accounts.ts';
import { listFailedRecoveries } from '../../operating/backlog.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { insertAccountAttempt } from '../../testing/payments.ts';
import { withOwnDataDir } from '../../testing/settings.ts';
import { ACCOUNT_PROVIDERS } from '../providers/account-providers.ts';
import type { OPEN } from '../state.ts';
import { connectAccount } from './accounts.ts';
import { listOverdue } from './overdue.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const SOON = new Date(NOW.getTime() + MINUTE_MS);
const CREDENTIALS: Record<string, Record<string, string>> = {
  payme: { merchant_id: '587f72c72cac0d162c722ae2', key: 'key' },
  click: { merchant_id: '1', service_id: '2', merchant_user_id: '3', secret_key: 'key' },
  multicard: {
    store_id: '6',
    application_id: 'app',
    secret: 'key',
    mxik: '01234567890123456',
    package_code: '1500000',
  },
};

let database: TestDatabase;
let merchant: MerchantFixture;

withOwnDataDir();
beforeEach(async () => {
  database = await createTestDatabase(2);
  merchant = await createMerchantFixture(database.pool);
});
afterEach(() => database.drop());

const connect = (provider: string, name?: string) =>
  connectAccount(database.pool, {
    merchantId: merchant.id,
    environment: 'production',
    provider,
    ...(name === undefined ? {} : { name }),
    credentials: CREDENTIALS[provider] ?? {},
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });

type Account = Awaited<ReturnType<typeof connect>>;
type Open = (typeof OPEN)[number];
type More = { recoverAt?: Date; authorisationId?: string; isHeld?: boolean };

/** Inserts an attempt of that age; returns its id. */
async function attempt(account: Account, status: Open, ageMs: number, more: More = {}) {
  const { recoverAt = SOON, isHeld = false, ...rest } = more;
  const { tenant } = merchant.production;
  const invoiceId = await createTestInvoice(database.pool, tenant, { now: NOW });
  const held = { acquirerId: `theirs-${invoiceId}`, paymentNumber: '77' };
  return await insertAccountAttempt(database.pool, {
    invoiceId,
    account,
    status,
    createdAt: new Date(NOW.getTime() - ageMs),
    recoverAt,
    ...rest,
    ...(isHeld ? { held } : {}),
  });
}

const listedIds = async () =>
  (await listOverdue(database.pool, NOW)).flatMap(({ items }) => items.map(({ id }) => id));

it.each([
  ['multicard', 'authorising', 1, {}],
  ['multicard', 'capturing', 1, {}],
  ['multicard', 'voiding', 1, {}],
  ['multicard', 'challenge', 41, {}],
  ['click', 'capturing', 31, { isHeld: true }],
  ['click', 'challenge', 41, { isHeld: true }],
  ['payme', 'capturing', 31, { isHeld: true }],
  ['payme', 'challenge', 12 * 60 + 11, { isHeld: true }],
] as const)(
  'at %s one in the state %s is overdue after %i min',
  async (provider, status, minutes, more) => {
    const account = await connect(provider);
    await attempt(account, status, minutes * MINUTE_MS - 1, more);
    const overdue = await attempt(account, status, minutes * MINUTE_MS, more);
    expect(await listedIds()).toEqual([overdue]);
  },
);

it('one whose look is long due, or whose acquirer is down, is overdue at once', async () => {
  const account = await connect('multicard');
  const young = 2 * MINUTE_MS;
  await attempt(account, 'challenge', young);
  const due = await attempt(account, 'challenge', young, {
    recoverAt: new Date(NOW.getTime() - MINUTE_MS),
  });
  expect(await listedIds()).toEqual([due]);
  const down = await connect('multicard', 'Down');
  await database.pool.query('UPDATE acquirer_accounts SET down_since = $2 WHERE id = $1', [
    down.id,
    NOW,
  ]);
  const asked = await attempt(down, 'challenge', young);
  await attempt(down, 'capturing', young, { isHeld: true });
  expect((await listedIds()).toSorted()).toEqual([due, asked].toSorted());
});

it('they stand by account, the longest first, with what its acquirer said last', async () => {
  const { pool } = database;
  const click = await connect('click');
  const multicard = await connect('multicard', 'Cards');
  await recordCall(pool, click, 'wrong_signature', NOW);
  await recordCheck(pool, click.id, { code: 'unexpected_answer', detail: '503' }, NOW);
  const ids: string[] = [];
  for (let age = 30; age > 0; age -= 1) {
    ids.push(await attempt(multicard, 'authorising', age * MINUTE_MS));
  }
  const held = await attempt(click, 'capturing', 45 * MINUTE_MS, { isHeld: true });
  const invoiceId = held.slice('pay_'.length);
  const listed = await listOverdue(pool, NOW);
  expect(listed).toMatchObject([
    {
      id: click.id,
      merchantId: merchant.id,
      merchantName: 'Test merchant',
      environment: 'production',
      title: 'Click',
      calledAtMs: NOW.getTime(),
      callFault: { code: 'wrong_signature', detail: null },
      checkFault: { code: 'unexpected_answer', detail: '503' },
      count: 1,
      oldestAtMs: NOW.getTime() - 45 * MINUTE_MS,
      items: [
        {
          id: held,
          invoiceId,
          amountMinor: 1500n,
          status: 'capturing',
          nextLookAtMs: SOON.getTime(),
          acquirerIds: [`theirs-${invoiceId}`, '77'],
        },
      ],
    },
    { id: multicard.id, title: 'Multicard', name: 'Cards', callFault: null, count: 30 },
  ]);
  expect(listed[1]?.items.map(({ id }) => id)).toEqual(ids.slice(0, 20));
});

it('what recovery leaves alone for ten minutes counts as no failed recovery', async () => {
  const payme = await connect('payme');
  const multicard = await connect('multicard');
  await attempt(payme, 'capturing', 20 * MINUTE_MS, { isHeld: true, recoverAt: NOW });
  await attempt(payme, 'challenge', 60 * MINUTE_MS, { isHeld: true, recoverAt: NOW });
  await attempt(multicard, 'challenge', 25 * MINUTE_MS, { recoverAt: NOW });
  const stuck = await attempt(multicard, 'capturing', 3 * MINUTE_MS, { recoverAt: NOW });
  const failed = await listFailedRecoveries(database.pool, { now: NOW, limit: 5 });
  expect(failed.map(({ attemptId }) => attemptId)).toEqual([stuck]);
});

it('a page’s life is known without its account’s credentials, and is the page’s own', async () => {
  const account = await connect('click');
  const noteCall = async () => undefined;
  for (const [provider, { traits, open }] of Object.entries(ACCOUNT_PROVIDERS)) {
    const credentials = { secret_key: 'sk_test_1' };
    const sealed = { ...account, provider, credentials, noteCall };
    const opened = open(database.pool, sealed, () => NOW);
    if (opened.kind === 'redirect') expect(opened.pageLifeMs).toBe(traits.pageLifeMs);
  }
});
