import { vi } from 'vitest';
import { cancelInvoice } from '../../invoices/cancel.ts';
import { readInvoiceForBuyer } from '../../invoices/data.ts';
import type { NewInvoice } from '../../invoices/types.ts';
import { type AcquirerAccount, openAccount } from '../../merchants/acquirer-accounts.ts';
import { connectAccount } from '../../payments/accounts/accounts.ts';
import { hookPath } from '../../payments/addresses.ts';
import { listAttempts } from '../../payments/data.ts';
import { YooKassa } from '../../payments/providers/yookassa/yookassa.ts';
import { recoverPayments } from '../../payments/recover.ts';
import { startPayment } from '../../payments/start.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../factories.ts';
import { createTestInvoice } from '../invoices.ts';
import { forgetSettings } from '../settings.ts';
import { serveHooks } from './serve-hooks.ts';
import { YooKassaStandIn } from './yookassa.ts';

export const ACTOR = { type: 'operator', id: null, label: 'test' } as const;
export const SECRET_KEY = 'test_of-the-stand-in';
export const TAXES = { vat_code: '11', tax_system_code: '2' };
const BEGAN_MS = Date.parse('2026-11-21T12:00:00.000Z');

/**
 * A merchant's sandbox with accounts at two shops of a stand-in: 100500, and 100501, which sends
 * receipts. All clocks are one that the test moves.
 */
export async function openShops() {
  const database = await createTestDatabase(10);
  const time = { nowMs: BEGAN_MS };
  const clock = () => new Date(time.nowMs);
  const shop = { secretKey: SECRET_KEY };
  const bank = new YooKassaStandIn(
    [
      { id: '100500', ...shop },
      { id: '100501', ...shop, sendsReceipts: true },
    ],
    { clock },
  );
  vi.stubEnv('YOOKASSA_API_URL', await bank.listen());
  const hooks = await serveHooks(database.pool, clock);
  vi.stubEnv('PUBLIC_URL', hooks.origin);
  forgetSettings();
  const merchant = await createMerchantFixture(database.pool);
  const { pool } = database;

  const connect = (credentials: Record<string, string>) =>
    connectAccount(pool, {
      merchantId: merchant.id,
      environment: 'sandbox',
      provider: 'yookassa',
      credentials: { secret_key: SECRET_KEY, ...credentials },
      actor: ACTOR,
      now: clock(),
    });
  const account = await connect({ shop_id: '100500' });
  const withReceipts = await connect({ shop_id: '100501', ...TAXES });
  for (const each of [account, withReceipts]) {
    const known = bank.shops.get(each === account ? '100500' : '100501');
    if (known) known.hookUrl = hooks.origin + hookPath(each);
  }

  const parts = { ...database, time, clock, bank, hooks, merchant, account, withReceipts, connect };
  return {
    ...parts,
    ...actionsOf(parts),
    async close() {
      await hooks.close();
      await bank.close();
      await database.drop();
    },
  };
}

type Parts = TestDatabase & {
  time: { nowMs: number };
  clock: () => Date;
  bank: YooKassaStandIn;
  merchant: MerchantFixture;
  account: AcquirerAccount;
};

function actionsOf({ pool, time, clock, bank, merchant, account }: Parts) {
  const newInvoice = (given: Partial<NewInvoice> = {}) =>
    createTestInvoice(pool, merchant.sandbox.tenant, {
      now: clock(),
      endDateMs: time.nowMs + 24 * 3_600_000,
      currency: 'RUB',
      amountMinor: 150_050,
      positions: [{ title: 'Билет', amountMinor: 150_050, currency: 'RUB' }],
      ...given,
    });
  const start = (
    invoiceId: string,
    { id }: AcquirerAccount = account,
    buyerEmail: string | null = null,
  ) => {
    // Attempts of one moment have no order.
    time.nowMs += 1;
    return startPayment(
      pool,
      { invoiceId, accountId: id, buyerEmail },
      { locale: 'ru', clock, actor: { type: 'buyer' } },
    );
  };
  const attemptsOf = (invoiceId: string) => listAttempts(pool, invoiceId);

  return {
    newInvoice,
    start,
    attemptsOf,
    /** An invoice whose buyer is at the page; with the payment's id there. */
    async atPage(invoiceId: string): Promise<string> {
      const started = await start(invoiceId);
      if (started.outcome !== 'elsewhere') throw new Error(started.outcome);
      return started.url.split('/').at(-1) ?? '';
    },
    statusOf: async (invoiceId: string) =>
      (await readInvoiceForBuyer(pool, invoiceId, { now: clock() }))?.status,
    statusesOf: async (invoiceId: string) =>
      (await attemptsOf(invoiceId)).map(({ status }) => status),
    async callbacksOf(invoiceId: string): Promise<Record<string, unknown>[]> {
      const text = 'SELECT body FROM callbacks WHERE invoice_id = $1';
      const { rows } = await pool.query<{ body: Buffer }>(text, [invoiceId]);
      return rows.map(({ body }) => JSON.parse(body.toString()));
    },
    /** Moves the clock, and lets recovery do what is due then. */
    async after(seconds: number) {
      time.nowMs += seconds * 1000;
      return await recoverPayments(pool, { clock, limit: 100 });
    },
    cancel: (invoiceId: string) =>
      cancelInvoice(pool, merchant.sandbox.tenant, invoiceId, {
        actor: { type: 'api' },
        now: clock(),
      }),
    /** The provider of an account, to be asked directly. */
    async open({ id }: AcquirerAccount): Promise<YooKassa> {
      const opened = await openAccount(pool, id);
      if (!opened) throw new Error('there is no such account');
      return new YooKassa({ account: opened, apiUrl: bank.apiUrl });
    },
  };
}
