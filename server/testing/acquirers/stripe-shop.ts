import type { Pool } from 'pg';
import { vi } from 'vitest';
import { cancelInvoice } from '../../invoices/cancel.ts';
import { readInvoiceForBuyer } from '../../invoices/data.ts';
import { changeAccount, connectAccount } from '../../payments/accounts/accounts.ts';
import { hookUrl } from '../../payments/addresses.ts';
import { listAttempts } from '../../payments/data.ts';
import { recoverPayments } from '../../payments/recover.ts';
import { type StartOutcome, startPayment } from '../../payments/start.ts';
import { createTestDatabase } from '../database/database.ts';
import { createMerchantFixture } from '../factories.ts';
import { createTestInvoice } from '../invoices.ts';
import { forgetSettings } from '../settings.ts';
import { serveHooks } from './serve-hooks.ts';
import { StripeStandIn } from './stripe.ts';
import type { StripeObject } from './stripe-books.ts';

const ACTOR = { type: 'operator', id: null, label: 'test' } as const;

/** What a test asks of both sides. */
function readersOf(pool: Pool, clock: () => Date, bank: StripeStandIn) {
  return {
    /** How an invoice and its attempts stand, the newest attempt first. */
    async stateOf(invoiceId: string): Promise<(string | undefined)[]> {
      const invoice = await readInvoiceForBuyer(pool, invoiceId, { now: clock() });
      const attempts = await listAttempts(pool, invoiceId);
      return [invoice?.status, ...attempts.map(({ status }) => status)];
    },
    attemptsOf: (invoiceId: string) => listAttempts(pool, invoiceId),
    /** The notifications of an invoice. */
    async callbacksOf(invoiceId: string): Promise<Record<string, unknown>[]> {
      const text = 'SELECT body FROM callbacks WHERE invoice_id = $1';
      const { rows } = await pool.query<{ body: Buffer }>(text, [invoiceId]);
      return rows.map(({ body }) => JSON.parse(body.toString()));
    },
    /** The payment intents there of an invoice, by their status. */
    intentsOf(invoiceId: string): unknown[] {
      const isOf = ({ metadata }: StripeObject) =>
        (metadata as { invoice_id?: string }).invoice_id === invoiceId;
      return bank.books
        .all('payment_intent')
        .filter(isOf)
        .map(({ status }) => status);
    },
  };
}

/** A merchant whose buyers pay at Stripe's stand-in, with a clock of its own. */
export async function openStripeShop() {
  let nowMs = Date.parse('2026-11-21T12:00:00.000Z');
  const clock = () => new Date(nowMs);
  const database = await createTestDatabase(10);
  const { pool } = database;
  const endpoints = new Map<string, { hookUrl: string; secret: string }>();
  const bank = new StripeStandIn(endpoints, clock);
  const hooks = await serveHooks(pool, clock);
  vi.stubEnv('STRIPE_API_URL', await bank.listen());
  vi.stubEnv('PUBLIC_URL', hooks.origin);
  forgetSettings();
  const merchant = await createMerchantFixture(pool);

  /** Connects an account of its own at Stripe, and enters its hook there. */
  async function connect(name: string) {
    const credentials = { secret_key: `sk_test_${name}`, webhook_secret: `whsec_${name}` };
    const account = await connectAccount(pool, {
      merchantId: merchant.id,
      environment: 'sandbox',
      provider: 'stripe',
      credentials,
      actor: ACTOR,
      now: clock(),
    });
    const { secret_key: key, webhook_secret: secret } = credentials;
    endpoints.set(key, { hookUrl: hookUrl(account), secret });
    return { ...account, key, secret };
  }
  const account = await connect('shop');

  const newInvoice = (currency: 'USD' | 'EUR' = 'USD', amountMinor = 7_999) =>
    createTestInvoice(pool, merchant.sandbox.tenant, {
      now: clock(),
      endDateMs: nowMs + 3_600_000,
      currency,
      amountMinor,
      positions: [{ title: 'Ticket', amountMinor, currency }],
    });
  const start = (invoiceId: string, accountId = account.id): Promise<StartOutcome> => {
    const options = { locale: 'en', clock, actor: { type: 'buyer' } } as const;
    return startPayment(pool, { invoiceId, accountId }, options);
  };

  return {
    database,
    bank,
    hooks,
    merchant,
    account,
    clock,
    connect,
    hookOf: hookUrl,
    newInvoice,
    start,
    /** Time passes, for both sides. */
    pass(ms: number): void {
      nowMs += ms;
    },
    /** A buyer at Stripe's page; the page's id. */
    async atPage(invoiceId: string): Promise<string> {
      const started = await start(invoiceId);
      if (started.outcome !== 'elsewhere') throw new Error(started.outcome);
      return started.url.split('/').at(-1) ?? '';
    },
    recover: () => recoverPayments(pool, { clock, limit: 100 }),
    cancel: (invoiceId: string) =>
      cancelInvoice(pool, merchant.sandbox.tenant, invoiceId, {
        actor: { type: 'api' },
        now: clock(),
      }),
    switchOff: () => changeAccount(pool, account.id, 'disable', { actor: ACTOR, now: clock() }),
    ...readersOf(pool, clock, bank),
    async close(): Promise<void> {
      await hooks.close();
      await bank.close();
      await database.drop();
    },
  };
}

export type StripeShop = Awaited<ReturnType<typeof openStripeShop>>;
