import type { Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Environment } from '#server/merchants/types.ts';
import { connectAccount } from '#server/payments/accounts/accounts.ts';
import { HOLD_MS } from '#server/payments/timing.ts';
import { startStandIns } from '#server/testing/acquirers/stand-ins.ts';
import { createMerchantFixture } from '#server/testing/factories.ts';
import { expectAccessible, expectNoFaults } from '../accessible.ts';
import { gatewayUnderTest } from '../gateway.ts';
import { holdRequests } from '../held-requests.ts';
import {
  choose,
  expectPaid,
  hookUrlOf,
  NAMES,
  payButton,
  press,
  said,
  uz,
} from './acquirer-page.ts';
import { expect, nameShop, Shop, test } from './shop.ts';

// The gateway knows the ports of the acquirers: one process at a time stands in for these three.
test.describe.configure({ mode: 'default' });
test.use({ locale: 'uz-UZ', viewport: { width: 390, height: 844 } });

const PROVIDERS = ['payme', 'click', 'multicard'] as const;
type Provider = (typeof PROVIDERS)[number];

const SECRET = 'known to both';
const CREDENTIALS: Record<Provider, Record<string, string>> = {
  payme: { merchant_id: '587f72c72cac0d162c722ae2', key: SECRET },
  click: { merchant_id: '1', service_id: '2', merchant_user_id: '3', secret_key: SECRET },
  multicard: {
    store_id: '6',
    application_id: 'app',
    secret: SECRET,
    mxik: '01234567890123456',
    package_code: '1500000',
  },
};

let shop: Shop;
let stop: () => Promise<void>;
const accounts = new Map<Provider, string>();

async function connect(provider: Provider, environment: Environment): Promise<string> {
  const { id } = await connectAccount(shop.pool, {
    merchantId: shop.tenant.merchantId,
    environment,
    provider,
    credentials: CREDENTIALS[provider],
    actor: { type: 'operator', id: null, label: 'journeys' },
    now: new Date(),
  });
  return id;
}

test.beforeAll(async () => {
  const { databaseUrl, acquirerPorts } = gatewayUnderTest();
  const pool = openPool(databaseUrl, 2);
  const merchant = await createMerchantFixture(pool);
  await nameShop(pool, merchant.id);
  shop = new Shop(pool, merchant.sandbox.tenant, merchant.production.tenant);
  for (const provider of PROVIDERS) accounts.set(provider, await connect(provider, 'sandbox'));
  const hookOf = (provider: Provider) => ({
    hookUrl: hookUrlOf(provider, accounts.get(provider) ?? ''),
    secret: SECRET,
  });
  const hooks = new Map([
    ['587f72c72cac0d162c722ae2', hookOf('payme')],
    ['2', hookOf('click')],
  ]);
  stop = await startStandIns(
    { ...acquirerPorts, stripe: 0, yookassa: 0 },
    { hooks, multicardSecret: SECRET },
  );
});
test.afterAll(async () => {
  await stop();
  await shop.pool.end();
});

function order(environment: Environment = 'sandbox'): Promise<string> {
  const [amountMinor, currency] = [18_500_000, 'UZS'] as const;
  const positions = [{ title: 'Yirgacheffe, 250 g', amountMinor, currency }];
  return shop.order({ amountMinor, currency, positions, environment });
}

async function expectHeld(page: Page, provider: Provider): Promise<void> {
  const heading = page.getByRole('heading', { name: said(uz.methods.heldTitle, provider) });
  await expect(heading).toBeVisible();
  await expect(page.getByText(said(uz.methods.heldText, provider))).toBeVisible();
  await expect(page.getByText(uz.processing.keep)).toBeVisible();
  const heldBack = translatorOf('uz', 'pay')('methods.heldBack', { minutes: HOLD_MS / 60_000 });
  await expect(page.getByText(heldBack)).toBeVisible();
}

for (const provider of PROVIDERS) {
  const name = NAMES[provider];

  test(`${name}: from the invoice to its page and back to paid`, async ({ page }) => {
    const id = await order();
    await page.goto(`/pay/${id}?stay=1`);
    await choose(page, provider);
    await expect(page.getByText('185,000')).toBeVisible();
    await press(page, 'Pay');
    await expectPaid(page);
    expect(page.url()).toContain(`${gatewayUnderTest().origin}/pay/${id}`);
    expect([await shop.status(id), ...(await shop.attempts(id))]).toEqual(['PAID', 'captured']);
    await page.goto(`/pay/${id}/receipt`);
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  });

  test(`${name}: declined there, told here; then paid`, async ({ page }) => {
    const id = await order();
    await page.goto(`/pay/${id}`);
    await choose(page, provider);
    await press(page, 'Decline');
    const notice = page.locator('#pay-notice');
    await expect(notice).toContainText(said(uz.methods.declinedText, provider));
    await expect(notice).toContainText(uz.declined.notCharged);
    await expect(notice).toContainText(uz.methods.retry);
    expect(await shop.attempts(id)).toEqual(['declined']);
    await choose(page, provider);
    await press(page, 'Pay');
    await expectPaid(page);
    expect(await shop.attempts(id)).toEqual(['declined', 'captured']);
  });
}

for (const provider of ['payme', 'click'] as const) {
  test(`${NAMES[provider]}: left there, the hold is told in words until it is paid`, async ({
    page,
    context,
  }) => {
    const id = await order();
    await page.goto(`/pay/${id}`);
    await choose(page, provider);
    const there = await context.newPage();
    await there.goto(page.url());
    await press(page, 'Leave');
    await expectHeld(page, provider);
    await expect(payButton(page, provider)).toHaveCount(0);
    expect(await shop.cancel(id)).toBe('payment_in_progress');
    // As in its app, while the page waits: it changes by itself.
    await press(there, 'Pay');
    await expectPaid(page);
  });
}

test('Multicard: left there, the open page is one press away', async ({ page }) => {
  const id = await order();
  await page.goto(`/pay/${id}`);
  await choose(page, 'multicard');
  const address = page.url();
  await press(page, 'Leave');
  const notice = page.locator('#pay-notice');
  await expect(notice).toContainText(said(uz.methods.openTitle, 'multicard'));
  await notice.getByRole('link', { name: said(uz.methods.openAction, 'multicard') }).click();
  await expect(page).toHaveURL(address);
  await press(page, 'Pay');
  await expectPaid(page);
  expect(await shop.attempts(id)).toEqual(['captured']);
});

test('a press is told while the acquirer is asked, and another one does nothing meanwhile', async ({
  page,
}) => {
  const id = await order();
  await page.goto(`/pay/${id}`);
  const { release, asked } = await holdRequests(page, '**/start');
  // From within: a page that is on its way elsewhere answers no question from without.
  const told: string[] = [];
  await page.exposeFunction('tell', (text: string) => told.push(text));
  await page.evaluate(() => {
    const tell = (text: string) => (window as unknown as { tell(_: string): void }).tell(text);
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('button[data-method]')];
    const pressAll = () => {
      for (const button of buttons) button.form?.requestSubmit(button);
      tell('all pressed');
    };
    for (const button of buttons) {
      const look = () => {
        tell(button.innerText);
        setTimeout(pressAll, 200);
      };
      new MutationObserver(look).observe(button, { attributeFilter: ['data-going'] });
    }
  });
  await payButton(page, 'multicard').click({ noWaitAfter: true });
  await expect.poll(() => told).toContain('all pressed');
  expect(told[0]).toContain(said(uz.methods.going, 'multicard'));
  release();
  await expect(page.getByRole('heading', { name: 'Multicard: a stand-in' })).toBeVisible();
  expect(asked()).toBe(1);
  expect(await shop.attempts(id)).toEqual(['challenge']);
  // Back by the browser, the page can be used again.
  await page.goBack();
  await choose(page, 'click');
});

test('a second tab: what is held by one acquirer goes to no other', async ({ page, context }) => {
  const id = await order();
  await page.goto(`/pay/${id}`);
  const second = await context.newPage();
  await second.goto(`/pay/${id}`);
  await choose(page, 'payme');
  await choose(second, 'click');
  await press(page, 'Leave');
  await expectHeld(page, 'payme');
  await press(second, 'Pay');
  await expect(second.getByRole('alert')).toContainText('The gateway did not want this');
  await second.getByRole('link', { name: 'Back to the invoice' }).click();
  await expectHeld(second, 'payme');
  expect(await shop.attempts(id)).toEqual(['capturing']);
});

test('the page with its methods has no fault, narrow and wide, light and dark', async ({
  page,
}) => {
  test.slow();
  const id = await order();
  await page.goto(`/pay/${id}`);
  for (const width of [390, 320, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page, `methods at ${width} px`);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${width} px`).toBe(0);
  }
  await page.setViewportSize({ width: 320, height: 844 });
  await choose(page, 'multicard');
  await expectNoFaults(page, { what: 'a stand-in’s page' });
  await press(page, 'Leave');
  await expect(page.locator('#pay-notice')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, 'methods with an open page');
  await choose(page, 'payme');
  await press(page, 'Leave');
  await expectHeld(page, 'payme');
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, 'a hold');
});

test('in production one method is no choice; without any, nothing can be paid', async ({
  page,
}) => {
  const id = await order('production');
  await page.goto(`/pay/${id}?stay=1`);
  await expect(page.getByRole('heading', { name: uz.unavailable.title })).toBeVisible();
  await connect('payme', 'production');
  await page.goto(`/pay/${id}`);
  const name = said(uz.methods.payWith, 'payme');
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
  await expect(page.getByText(uz.methods.choose)).toHaveCount(0);
  await expect(page.getByLabel(uz.form.number, { exact: true })).toHaveCount(0);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  for (const provider of PROVIDERS) {
    test(`${NAMES[provider]}: the form leads there by 303, and the way back to paid`, async ({
      page,
    }) => {
      const id = await order();
      await page.goto(`/pay/${id}`);
      const started = page.waitForResponse((response) => response.url().endsWith('/start'));
      await choose(page, provider);
      expect((await started).status()).toBe(303);
      await press(page, 'Leave');
      if (provider === 'multicard') {
        await page.getByRole('link', { name: said(uz.methods.openAction, provider) }).click();
      } else {
        await expectHeld(page, provider);
        await page.goBack();
      }
      await press(page, 'Pay');
      await expectPaid(page);
      expect(await shop.attempts(id)).toEqual(['captured']);
    });
  }

  test('a button is there for each account, and one that is switched off meanwhile leads back', async ({
    page,
  }) => {
    const id = await order();
    await page.goto(`/pay/${id}`);
    const ids = await page
      .locator('button[data-method]')
      .evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset.method));
    expect(ids).toEqual(PROVIDERS.map((provider) => accounts.get(provider)));
    const isEnabled = 'UPDATE acquirer_accounts SET is_enabled = $2 WHERE id = $1';
    await shop.pool.query(isEnabled, [accounts.get('click'), false]);
    await payButton(page, 'click').click();
    await expect(page.locator('#pay-notice')).toContainText(uz.methods.notices.unavailable);
    await expect(payButton(page, 'click')).toHaveCount(0);
    await shop.pool.query(isEnabled, [accounts.get('click'), true]);
  });
});
