import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { countTry } from '../../auth/throttle.ts';
import { claimDue } from '../../callbacks/queue/claim.ts';
import { closeDelivery } from '../../callbacks/queue/delivery.ts';
import { log } from '../../observability/log.ts';
import { connectMulticard } from '../../testing/acquirers/multicard-account.ts';
import { insertDue } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { quietInngest, runFunction } from '../../testing/inngest-functions.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { TelegramStandIn } from '../../testing/telegram-stand-in.ts';
import { createJobFunctions, FUNCTION_IDS } from './inngest.ts';
import { readRunCounts } from './runs.ts';

const CREATED = new Date('2026-01-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const after = (ms: number) => new Date(CREATED.getTime() + ms);
const NOW = after(2 * HOUR_MS);

let database: TestDatabase;
let merchant: MerchantFixture;

const telegram = new TelegramStandIn();

beforeAll(async () => {
  vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 1).toString('base64'));
  vi.stubEnv('MULTICARD_API_URL', 'http://127.0.0.1:1');
  // No mail server is there: an e-mail that was tried is due again later.
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:1');
  vi.stubEnv('MAIL_FROM', 'gateway@shop.example');
  const { token, botName, apiUrl } = await telegram.listen();
  vi.stubEnv('TELEGRAM_BOT_TOKEN', token);
  vi.stubEnv('TELEGRAM_BOT_NAME', botName);
  vi.stubEnv('TELEGRAM_API_URL', apiUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await telegram.close();
});

beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(async () => {
  await closeDelivery();
  await database.drop();
});

const write = (sql: string) => database.pool.query(sql, [CREATED.toISOString(), merchant.id]);

const invoice = (endDateMs: number) =>
  createTestInvoice(database.pool, merchant.sandbox.tenant, { now: CREATED, endDateMs });

const callback = () =>
  insertDue(database.pool, { merchantId: merchant.id, url: 'http://127.0.0.1:1/', at: CREATED });

async function lostPayment(): Promise<void> {
  const id = await invoice(NOW.getTime() + HOUR_MS);
  await database.pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at, recover_at)
     VALUES ('att_1', $1, 'authorising', 'sandbox', 1500, 'USD', 'visa', '4242', $2, $2, $2)`,
    [id, CREATED],
  );
}

const person = () =>
  write(`INSERT INTO users (id, email) VALUES ('p', $2 || '@example.com') RETURNING $1::text`);

const notice = async (createdAt: string) => {
  await person();
  await write(`
    INSERT INTO notices (id, user_id, merchant_id, environment, channel, subject, content,
      next_attempt_at, created_at)
    VALUES ('n', 'p', $2, 'sandbox', 'email', 's', '{"what":"callbacks_well"}', $1, ${createdAt})`);
};

/** Makes one thing due by `NOW` for each of the functions. */
const MAKE_DUE: { [functionId: string]: () => Promise<unknown> } = {
  'expire-invoices': () => invoice(CREATED.getTime() + 1),
  'sweep-expire-due-invoices': () => invoice(CREATED.getTime() + 1),
  'deliver-callbacks': callback,
  'sweep-deliver-due-callbacks': callback,
  'recover-payments': lostPayment,
  'sweep-recover-payments': lostPayment,
  'sweep-ask-down-accounts': async () => {
    await connectMulticard(database.pool, { merchantId: merchant.id, secret: 'sec' }, CREATED);
    await database.pool.query('UPDATE acquirer_accounts SET failed_at = $1, down_since = $1', [
      CREATED.toISOString(),
    ]);
  },
  'sweep-compare-books': () =>
    connectMulticard(database.pool, { merchantId: merchant.id, secret: 'sec' }, CREATED),
  'sweep-send-receipt-emails': async () => {
    const id = await invoice(NOW.getTime() + HOUR_MS);
    await database.pool.query(
      `INSERT INTO receipt_emails (id, invoice_id, kind, address, locale, next_attempt_at, created_at)
       VALUES ('r', $1, 'paid', 'buyer@example.com', 'en', $2, $2)`,
      [id, CREATED],
    );
  },
  'sweep-send-registers': async () => {
    await person();
    await write(`
      WITH member AS (
        INSERT INTO memberships (user_id, merchant_id, role) VALUES ('p', $2, 'owner')
      )
      INSERT INTO register_emails (user_id, merchant_id, environment, day, due_at)
      VALUES ('p', $2, 'sandbox', '2026-01-20', $1)`);
  },
  'sweep-find-notices': () =>
    write(`
      INSERT INTO events (position, merchant_id, environment, type, at, invoice_id)
      VALUES (1, $2, 'sandbox', 'invoice.paid', $1, 'inv_1')`),
  'sweep-send-notices': () => notice('$1'),
  'sweep-read-telegram-updates': async () => {
    telegram.write(1, 'hello');
    await person();
    await database.pool.query(
      `INSERT INTO telegram_links (user_id, code_hash, code_expires_at) VALUES ('p', '', $1)`,
      [after(3 * HOUR_MS)],
    );
  },
  'sweep-clean-up-notices': () => notice("$1::timestamptz - interval '30 days'"),
  'sweep-clean-up-idempotency-keys': () =>
    write(`
      INSERT INTO idempotency_keys (merchant_id, environment, key, request_hash, invoice_id,
        response_body, created_at, expires_at)
      VALUES ($2, 'sandbox', 'k', '', 'inv_1', '', $1, $1)`),
  'sweep-clean-up-api-requests': () =>
    write(`
      INSERT INTO api_requests (at, merchant_id, environment, token_id, request_id, method, path,
        status, duration_ms)
      VALUES ($1::timestamptz - interval '7 days', $2, 'sandbox', 't', 'r', 'GET', '/', 200, 1)`),
  'sweep-clean-up-events': () =>
    write(`
      INSERT INTO events (position, merchant_id, environment, type, at, invoice_id)
      VALUES (1, $2, 'sandbox', 'invoice.paid', $1::timestamptz - interval '90 days', 'inv_1')`),
  'sweep-clean-up-leases': async () => {
    await callback();
    await claimDue(database.pool, { now: CREATED, limit: 1 });
  },
  'sweep-clean-up-throttles': () =>
    countTry(database.pool, 'somebody', { max: 1, windowMs: 1 }, CREATED),
  'sweep-clean-up-sign-ins': () =>
    write(`
      WITH person AS (INSERT INTO users (id, email) VALUES ('p', $2 || '@example.com') RETURNING id)
      INSERT INTO sessions (id, user_id, created_at, last_seen_at, expires_at)
      SELECT 'over', id, $1, $1, $1 FROM person`),
  'sweep-end-overdue-impersonation': () =>
    write(`
      WITH operator AS (
        INSERT INTO users (id, email, is_operator) VALUES ('u', 'o@example.com', true) RETURNING id
      )
      INSERT INTO sessions (id, user_id, created_at, last_seen_at, expires_at,
        acting_merchant_id, acting_until)
      SELECT 's', id, $1, $1, $1, $2, $1 FROM operator`),
  // Its hour has been over for an hour.
  'sweep-sum-closed-hours': () => invoice(NOW.getTime() + HOUR_MS),
  // A whole block of them.
  'sweep-index-invoices': () =>
    write(`
      INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor,
        currency, description, positions, end_date, created_at, status_changed_at)
      SELECT 'inv_00' || n, $2, 'sandbox', n, 1, 'UZS', '', '[]', $1::timestamptz + interval '1 day', $1, $1
      FROM generate_series(1, 4096) n`),
  'sweep-sum-late-invoices': () =>
    write(`
      INSERT INTO unsummed_invoices (merchant_id, environment, invoice_id, quarter, look_at)
      VALUES ($2, 'sandbox', 'inv_gone', $1, $1)`),
};

const functions = createJobFunctions(quietInngest(), {
  db: () => database.pool,
  clock: () => NOW,
});
const run = (id: string) => runFunction(functions, id);
const ids = functions.map((each) => each.id());

test.each(ids)('%s does what is due, and once', async (id) => {
  const makeDue = MAKE_DUE[id];
  if (!makeDue) throw new Error(`nothing here makes anything due for ${id}`);
  await makeDue();
  for (const count of [1, 0]) expect(await run(id)).toEqual({ count });
  // This count shows the workers that Inngest works.
  expect(await readRunCounts(database.pool)).toEqual(new Map([[id, '2']]));
});

test('everything that is made due here is some function’s', () => {
  expect(Object.keys(MAKE_DUE).toSorted()).toEqual(FUNCTION_IDS.toSorted());
});

test('a run is counted, and is not where the clock is wrong: it does nothing then', async () => {
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  vi.spyOn(log(), 'warn').mockImplementation(() => undefined);
  const realNow = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + HOUR_MS);
  await run('recover-payments');
  expect(await readRunCounts(database.pool)).toEqual(new Map());
  clock.mockRestore();
  await run('recover-payments');
  expect(await readRunCounts(database.pool)).toEqual(new Map([['recover-payments', '1']]));
  vi.restoreAllMocks();
});
