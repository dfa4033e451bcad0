import { test as base, type Page } from '@playwright/test';
import type { Pool } from 'pg';
import { openPool } from '#server/db/pool.ts';
import { cancelInvoice } from '#server/invoices/cancel.ts';
import type { NewInvoice } from '#server/invoices/types.ts';
import type { Tenant } from '#server/merchants/types.ts';
import { payInvoice } from '#server/payments/pay.ts';
import { testCardFor } from '#server/payments/providers/sandbox/test-cards.ts';
import { createMerchantFixture } from '#server/testing/factories.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { cardWith } from '#server/testing/payments.ts';
import { gatewayUnderTest } from '../gateway.ts';

type Order = Partial<NewInvoice> & {
  /** The time in which the invoice can be paid (ms). */
  validMs?: number;
  environment?: 'sandbox' | 'production';
};

/** A merchant of this worker alone, using the gateway as a merchant's server would. */
export class Shop {
  readonly pool: Pool;
  readonly tenant: Tenant;
  readonly production: Tenant;

  constructor(pool: Pool, tenant: Tenant, production: Tenant) {
    this.pool = pool;
    this.tenant = tenant;
    this.production = production;
  }

  /** Creates an invoice and returns its id. */
  async order({ validMs = 3_600_000, environment, ...invoice }: Order = {}): Promise<string> {
    const now = new Date();
    return await createTestInvoice(
      this.pool,
      environment === 'production' ? this.production : this.tenant,
      {
        now,
        endDateMs: now.getTime() + validMs,
        description: 'Order 1042: coffee and filters',
        positions: [
          { title: 'Ethiopia Yirgacheffe, 250 g', amountMinor: 1250, currency: 'USD' },
          { title: 'Paper filters, 100 pieces', amountMinor: 450, currency: 'USD' },
        ],
        successUrl: `${gatewayUnderTest().origin}/success?order=1042&from=shop#done`,
        errorUrl: `${gatewayUnderTest().origin}/error?order=1042`,
        ...invoice,
      },
    );
  }

  async cancel(id: string): Promise<string> {
    const options = { actor: { type: 'api' }, now: new Date() } as const;
    return (await cancelInvoice(this.pool, this.tenant, id, options)).outcome;
  }

  /** Tries to pay with a declined card `times` times. */
  async decline(id: string, times: number, address?: string): Promise<void> {
    for (let i = 0; i < times; i++) await this.#tryCard(id, 'generic_decline', address);
  }

  /** Pays as a buyer would, without a browser. */
  async pay(id: string): Promise<void> {
    await this.#tryCard(id, 'approved');
  }

  async #tryCard(
    id: string,
    outcome: Parameters<typeof testCardFor>[0],
    address?: string,
  ): Promise<void> {
    await payInvoice(this.pool, id, cardWith(testCardFor(outcome).number), {
      clock: () => new Date(),
      actor: { type: 'buyer' },
      address,
      waitMs: 10_000,
      onLateError: (error) => {
        throw error;
      },
    });
  }

  async status(id: string): Promise<string | undefined> {
    const sql = 'SELECT status FROM invoices WHERE id = $1';
    return (await this.pool.query<{ status: string }>(sql, [id])).rows[0]?.status;
  }

  /** The sandbox acquirer's bookings for an invoice, in order. */
  async ledger(id: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ kind: string }>(
      `SELECT l.kind FROM sandbox_ledger_entries l
       JOIN sandbox_authorisations a ON a.id = l.authorisation_id
       JOIN payment_attempts p ON p.id = a.idempotency_key
       WHERE p.invoice_id = $1 ORDER BY l.id`,
      [id],
    );
    return rows.map(({ kind }) => kind);
  }

  async attempts(id: string): Promise<string[]> {
    const sql = 'SELECT status FROM payment_attempts WHERE invoice_id = $1 ORDER BY created_at, id';
    const { rows } = await this.pool.query<{ status: string }>(sql, [id]);
    return rows.map(({ status }) => status);
  }
}

/** Gives a merchant the look that the journeys expect. */
export async function nameShop(pool: Pool, merchantId: string): Promise<void> {
  await pool.query(
    `UPDATE merchants SET name = 'Northwind Coffee', brand_color = '#0f766e', time_zone = 'Asia/Tashkent'
     WHERE id = $1`,
    [merchantId],
  );
}

export type CardInput = { number: string; expiry: string; code: string; name: string };

/** Fills in the card form by its English labels. */
export async function fillCard(
  page: Page,
  number: string,
  { expiry = '12/34', code = '123', name = 'Ann Buyer' }: Partial<CardInput> = {},
): Promise<void> {
  await page.getByLabel('Card number', { exact: true }).fill(number);
  await page.getByLabel('Expiry date', { exact: true }).fill(expiry);
  await page.getByLabel('Security code', { exact: true }).fill(code);
  await page.getByLabel('Name on card', { exact: true }).fill(name);
}

export async function payWith(page: Page, number: string): Promise<void> {
  await fillCard(page, number);
  await page.getByRole('button', { name: 'Pay $15.00', exact: true }).click();
}

export const CARDS = {
  approved: '4242 4242 4242 4242',
  generic_decline: '4000 0000 0000 0002',
  insufficient_funds: '4000 0000 0000 9995',
  lost_card: '4000 0000 0000 9987',
  expired_card: '4000 0000 0000 0069',
  incorrect_cvc: '4000 0000 0000 0127',
  processing_error: '4000 0000 0000 0119',
  challenge: '4000 0000 0000 3220',
  challenge_failed: '4000 0084 0000 1629',
  challenge_abandoned: '4000 0000 0000 3055',
  slow: '4000 0000 0000 0077',
  mastercard: '5555 5555 5555 4444',
};

type Watched = { faults: string[] };

/** Notes forbidden events: script errors, breaches of the policy, foreign requests. */
function watch(page: Page, faults: string[]): void {
  const { origin, acquirerPorts } = gatewayUnderTest();
  const acquirers = Object.values(acquirerPorts).map((port) => `http://127.0.0.1:${port}/`);
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    const expected = /status of 40[49]|ERR_INTERNET_DISCONNECTED/.test(message.text());
    if (message.type() === 'error' && !expected) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    // The buyer may go to an acquirer; no page of ours may ask anything there.
    const frameUrl = request.isNavigationRequest() ? url : request.frame().url();
    if (acquirers.some((each) => frameUrl.startsWith(each))) return;
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`request to ${url}`);
  });
}

export const test = base.extend<{ shop: Shop; watched: Watched }, { workerShop: Shop }>({
  baseURL: async ({ browserName: _ }, use) => use(gatewayUnderTest().origin),
  workerShop: [
    async ({ browserName: _ }, use) => {
      const pool = openPool(gatewayUnderTest().databaseUrl, 2);
      const merchant = await createMerchantFixture(pool);
      await nameShop(pool, merchant.id);
      await use(new Shop(pool, merchant.sandbox.tenant, merchant.production.tenant));
      await pool.end();
    },
    { scope: 'worker' },
  ],
  shop: async ({ workerShop }, use) => use(workerShop),
  watched: [
    async ({ context }, use) => {
      // A busy machine is no fault of the page.
      base.setTimeout(120_000);
      const faults: string[] = [];
      context.on('page', (page) => watch(page, faults));
      await use({ faults });
      base.expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** The summary of faults; Next has an empty alert of its own on every page. */
export const faultSummary = (page: Page) =>
  page.getByRole('alert').filter({ has: page.locator('a') });

export const expect = base.expect.configure({ timeout: 15_000 });
