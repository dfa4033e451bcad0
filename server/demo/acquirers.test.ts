import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import type { Currency } from '../lib/money.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Tenant } from '../merchants/types.ts';
import { changeAccount } from '../payments/accounts/accounts.ts';
import { listAttempts } from '../payments/data.ts';
import { startPayment } from '../payments/start.ts';
import { listRefunds } from '../refunds/data.ts';
import { serveHooks } from '../testing/acquirers/serve-hooks.ts';
import { standInSettings, startStandIns } from '../testing/acquirers/stand-ins.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { freePort } from '../testing/ports.ts';
import { forgetSettings, withOwnDataDir } from '../testing/settings.ts';
import { connectStandIns, MULTICARD_SECRET } from './acquirers.ts';

const by = { actor: { type: 'operator', id: null, label: 'test' }, now: new Date() } as const;
const clock = () => new Date();

let database: TestDatabase;
let tenant: Tenant;
let gateway: Awaited<ReturnType<typeof serveHooks>>;
let connected: Awaited<ReturnType<typeof connectStandIns>>;
let stop: () => Promise<void>;

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(10);
  gateway = await serveHooks(database.pool, clock);
  const ports = {
    payme: await freePort(),
    click: await freePort(),
    multicard: await freePort(),
    stripe: await freePort(),
    yookassa: await freePort(),
  };
  const settings = { PUBLIC_URL: gateway.origin, ...standInSettings(ports) };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  forgetSettings();
  const actor = { ...by.actor, label: 'first start' };
  const demo = { name: 'Demo merchant', ownerEmail: 'demo@example.com', actor, now: by.now };
  tenant = grantTenant((await createMerchant(database.pool, demo)).merchantId, 'sandbox');
  connected = await connect();
  stop = await startStandIns(ports, {
    hooks: connected.hooks,
    multicardSecret: MULTICARD_SECRET,
  });
});
afterAll(async () => {
  await stop();
  await gateway.close();
  await database.drop();
});

const connect = () => connectStandIns(database.pool, { ...by, publicUrl: gateway.origin });

/** An invoice whose buyer is at an acquirer's page; its address. */
async function atPage(provider: string): Promise<{ invoiceId: string; url: string }> {
  const currencies: Record<string, Currency> = { stripe: 'USD', yookassa: 'RUB' };
  const amount = { amountMinor: 150_050, currency: currencies[provider] ?? 'UZS' };
  const invoiceId = await createTestInvoice(database.pool, tenant, {
    now: clock(),
    endDateMs: Date.now() + 3_600_000,
    ...amount,
    positions: [{ title: 'Ticket', ...amount }],
  });
  const account = connected.accounts.find((each) => each.provider === provider);
  const started = await startPayment(
    database.pool,
    { invoiceId, accountId: account?.id ?? '' },
    { locale: 'uz', clock, actor: { type: 'buyer' } },
  );
  return { invoiceId, url: started.outcome === 'elsewhere' ? started.url : started.outcome };
}

async function press(url: string, button: string) {
  const body = new URLSearchParams({ press: button });
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  return {
    status: response.status,
    to: response.headers.get('location'),
    text: await response.text(),
  };
}

const stateOf = async (invoiceId: string) => ({
  invoice: (await readInvoiceForBuyer(database.pool, invoiceId, { now: clock() }))?.status,
  attempts: (await listAttempts(database.pool, invoiceId)).map(({ status }) => status),
});

test('connected again, the accounts are the same, offered anew where one was switched off', async () => {
  const ids = connected.accounts.map(({ id }) => id);
  expect(connected.accounts.map(({ provider }) => provider)).toEqual([
    'payme',
    'click',
    'multicard',
    'stripe',
    'yookassa',
  ]);
  await changeAccount(database.pool, ids[0] ?? '', 'disable', by);
  const { accounts } = await connect();
  expect(accounts.map(({ id, isEnabled }) => [id, isEnabled])).toEqual(ids.map((id) => [id, true]));
});

test.each(['payme', 'click', 'multicard', 'stripe', 'yookassa'])(
  '%s: the page shows what is to be paid, and Pay pays it',
  async (provider) => {
    const { invoiceId, url } = await atPage(provider);
    const shown = await (await fetch(url)).text();
    expect(shown).toContain('1,500.50');
    expect(shown).toContain(invoiceId);
    const pressed = await press(url, 'pay');
    expect(pressed.status).toBe(303);
    expect(pressed.to).toMatch(new RegExp(`^${gateway.origin}/pay/${invoiceId}/return`));
    expect(await stateOf(invoiceId)).toEqual({ invoice: 'PAID', attempts: ['captured'] });
    // Once more, as from a second tab: nothing is paid twice, and the page says why not.
    const again = (await press(url, 'pay')).text;
    if (provider === 'payme' || provider === 'click') expect(again).toContain('did not want');
    expect(await stateOf(invoiceId)).toEqual({ invoice: 'PAID', attempts: ['captured'] });
  },
);

test.each(['payme', 'click'])(
  '%s: what was left holds the invoice, and goes on where it was left',
  async (provider) => {
    const { invoiceId, url } = await atPage(provider);
    expect((await press(url, 'leave')).status).toBe(303);
    expect(await stateOf(invoiceId)).toEqual({ invoice: 'PENDING', attempts: ['capturing'] });
    expect((await press(url, 'decline')).status).toBe(303);
    expect(await stateOf(invoiceId)).toEqual({ invoice: 'PENDING', attempts: ['declined'] });
    expect((await press(url, 'pay')).status).toBe(303);
    const { invoice, attempts } = await stateOf(invoiceId);
    expect([invoice, ...attempts]).toEqual(['PAID', 'captured', 'declined']);
  },
);

test.each(['payme', 'click', 'stripe', 'yookassa'])(
  '%s: a paid payment is refunded from the cabinet, once, and the gateway hears of it',
  async (provider) => {
    const { invoiceId, url } = await atPage(provider);
    expect(await (await fetch(url)).text()).not.toContain('Refund');
    await press(url, 'pay');
    const shown = await (await fetch(url)).text();
    expect(shown).toContain('Refund');
    expect(shown).not.toContain('Decline');
    expect((await press(url, 'refund')).status).toBe(303);
    const refunded = { amountMinor: 150_050n, status: 'SUCCEEDED', refundTransactionId: null };
    expect((await listRefunds(database.pool, tenant, invoiceId))?.refunds).toMatchObject([
      refunded,
    ]);
    expect(await (await fetch(url)).text()).not.toContain('Refund');
  },
);

test('an address that is about nothing is 404', async () => {
  const { url } = await atPage('payme');
  for (const wrong of [new URL('/', url), new URL('/bT0x', url)]) {
    expect((await fetch(wrong)).status).toBe(404);
  }
});
