import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { recordCheck } from '../merchants/acquirer-accounts.ts';
import { connectAccount } from '../payments/accounts/accounts.ts';
import { listDifferences } from '../payments/books/differences.ts';
import { MulticardStandIn } from '../testing/acquirers/multicard.ts';
import { connectMulticard } from '../testing/acquirers/multicard-account.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { freePort } from '../testing/ports.ts';
import { forgetSettings, withOwnDataDir } from '../testing/settings.ts';
import { acquirerCommands } from './acquirer-commands.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

let database: TestDatabase;
let shop: MerchantFixture;
let accountId: string;
let merchantId: string;

withOwnDataDir();
beforeAll(async () => {
  vi.stubEnv('CLICK_API_URL', `http://127.0.0.1:${await freePort()}`);
  forgetSettings();
  database = await createTestDatabase();
  shop = await createMerchantFixture(database.pool);
  merchantId = shop.id;
  const click = { merchant_id: '1', service_id: '2', merchant_user_id: '3', secret_key: 'sec' };
  const account = { merchantId, environment: 'sandbox', provider: 'click' } as const;
  const connected = { ...account, credentials: click, actor: ACTOR, now: NOW };
  ({ id: accountId } = await connectAccount(database.pool, connected));
});
afterAll(() => database.drop());

/** Runs a command in this process and returns its output. */
async function run(...args: string[]): Promise<string> {
  const printed: string[] = [];
  const commands = acquirerCommands({
    print: (text) => printed.push(text),
    withDatabase: (work) =>
      work({ pool: database.pool, actor: ACTOR, now: NOW, publicUrl: 'http://localhost:3000' }),
  });
  await commands.parseAsync(args, { from: 'user' });
  return printed.join('\n');
}

it('a check says what is wrong in English, and to a program by a code', async () => {
  const words = 'the acquirer cannot be reached (ECONNREFUSED)';
  expect(await run('check', accountId)).toBe(`Account ${accountId} does not work: ${words}.`);
  expect(JSON.parse(await run('check', accountId, '--json'))).toMatchObject({
    check_fault: words,
    check_fault_code: 'not_reachable',
    call_fault: null,
    call_fault_code: null,
  });
});

it('a sentence that an earlier version stored is listed as it is', async () => {
  const sentence = 'Click answered 502.';
  await recordCheck(database.pool, accountId, { code: null, detail: sentence }, NOW);
  expect(await run('list', merchantId)).toContain(sentence);
  expect(JSON.parse(await run('list', merchantId, '--json'))).toMatchObject([
    { check_fault: sentence, check_fault_code: null },
  ]);
});

it('an acquirer whose books cannot be read is said to have none, and a span has its two ends', async () => {
  const span = ['--from', '2026-11-20', '--to', '2026-11-21'];
  await expect(run('compare', accountId, ...span)).rejects.toThrow('no books that can be read');
  await expect(
    run('compare', accountId, '--from', '2026-11-21', '--to', '2026-11-21'),
  ).rejects.toThrow('--from must be before --to');
});

it('what a comparison finds is printed, and kept', async () => {
  const { pool } = database;
  const bank = new MulticardStandIn('sec');
  vi.stubEnv('MULTICARD_API_URL', await bank.listen());
  forgetSettings();
  const { id } = await connectMulticard(pool, { merchantId, secret: 'sec' }, NOW);
  const at = new Date('2026-11-20T12:00:00.000Z');
  const invoiceId = await createTestInvoice(pool, shop.sandbox.tenant, {
    now: at,
    currency: 'UZS',
  });
  await pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, account_id, authorisation_id,
       transaction_id, amount_minor, currency, created_at, updated_at)
     VALUES ('pay_1', $1, 'captured', 'multicard', $2, gen_random_uuid(), 'uuid', 150000, 'UZS', $3, $3)`,
    [invoiceId, id, at],
  );
  const span = ['--from', '2026-11-20', '--to', '2026-11-21'];
  const there = { kind: 'payment', what: 'missing_there', our_id: 'pay_1', theirs: null };
  expect(JSON.parse(await run('compare', id, ...span, '--json'))).toMatchObject({
    account_id: id,
    payments: 0,
    difference_count: 1,
    differences: [{ ...there, ours: { amount: '1500.00', currency: 'UZS', state: 'captured' } }],
  });
  expect(await run('compare', id, ...span)).toMatch(/1 differences\.\n[\s\S]*missing_there +pay_1/);
  expect(await listDifferences(pool, null, 10)).toMatchObject([{ accountId: id, ourId: 'pay_1' }]);
  await bank.close();
});
