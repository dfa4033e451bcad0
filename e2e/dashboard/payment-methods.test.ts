import { expect, type Page } from '@playwright/test';
import { createBody } from '#server/testing/rest.ts';
import { test } from '../fixtures.ts';
import { newShop, ownerAt, postTo } from './new-shop.ts';
import { expectGood, signInAt } from './person.ts';

const METHODS = '/dashboard/sandbox/payment-methods';
const KEY = 'the-key-of-a-cash-desk';

// axe looks at whole screens in both themes.
test.slow();

/** Fills in Payme's form and sends it, in English. */
async function connectPayme(page: Page, name = 'Payme'): Promise<void> {
  await page.goto(`${METHODS}/connect?provider=payme`);
  await page.getByLabel('Merchant ID').fill('587f72c72cac0d162c722ae2');
  await page.getByLabel('Key', { exact: true }).fill(KEY);
  await page.getByLabel('Name on the payment page').fill(name);
  await page.getByRole('button', { name: 'Connect Payme' }).click();
  await expect(page.getByRole('region', { name: `${name} is connected` })).toBeFocused();
}

test('an owner connects Payme, puts methods in order, switches one off and on, and disconnects it', async ({
  page,
  gateway,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await ownerAt(page, gateway, 'Shop with methods', METHODS);
  await expect(page.getByText('No acquirer connected yet')).toBeVisible();
  await page.getByRole('link', { name: 'Connect an acquirer' }).click();
  await page.getByRole('link', { name: 'Payme UZS' }).click();

  const merchantId = page.getByLabel('Merchant ID');
  const key = page.getByLabel('Key', { exact: true });
  await expect(key).toHaveAttribute('type', 'password');
  const connect = page.getByRole('button', { name: 'Connect Payme' });
  await merchantId.fill('not an id');
  await key.fill(KEY);
  await connect.click();
  await expect(page.getByText('Payme does not issue values like this.')).toBeVisible();
  await expect(merchantId).toBeFocused();
  await merchantId.fill('587f72c72cac0d162c722ae2');
  await connect.click();
  const made = page.getByRole('region', { name: 'Payme is connected' });
  await expect(made).toBeFocused();
  const hook = new RegExp(`^${gateway.origin}/api/acquirers/payme/acq_\\w+$`);
  await expect(made.getByText(hook)).toBeVisible();
  await made.getByRole('button', { name: /^Copy/ }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(hook);
  await made.getByRole('link', { name: 'Go to payment methods' }).click();
  await expect(page.getByText('The acquirer has never called')).toBeVisible();
  await expect(page.getByText(KEY)).toHaveCount(0);

  await connectPayme(page, 'Payme of the branch');
  await page.goto(METHODS);
  const names = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(names).toHaveText(['Payme', 'Payme of the branch']);
  const up = page.getByRole('button', { name: 'Move up: Payme of the branch' });
  // A press is no use before the script is there.
  await expect(async () => {
    await up.press('Enter');
    await expect(names).toHaveText(['Payme of the branch', 'Payme'], { timeout: 2_000 });
  }).toPass();
  await expect(up).toBeFocused();

  const first = page.getByRole('listitem').filter({ has: page.getByText('Payme of the branch') });
  await first.getByRole('button', { name: /^Test/ }).click();
  await expect(page.getByText('Payme of the branch has not called yet.')).toBeVisible();
  await expect(first.getByText('no calls yet to judge by')).toBeVisible();
  await first.getByRole('button', { name: /^Switch off/ }).click();
  await expect(first.getByText('Off', { exact: true })).toBeVisible();
  await first.getByRole('button', { name: /^Switch on/ }).click();
  await expect(first.getByText('Offered', { exact: true })).toBeVisible();
  await expectGood(page);
  await first.getByRole('button', { name: /^Disconnect/ }).click();
  const question = page.getByRole('dialog', { name: 'Disconnect Payme of the branch?' });
  await question.getByRole('button', { name: 'Disconnect' }).click();
  await expect(names).toHaveText(['Payme']);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('what Payme did with an invoice stands in its story, with Payme’s own id', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Shop with a story');
  await signInAt(page, shop.owner, METHODS);
  await page.waitForURL((url) => url.pathname === METHODS);
  await connectPayme(page);
  const hook = await page.getByText(/\/api\/acquirers\/payme\//).innerText();
  const sum = { amount: 150_000, currency: 'UZS' };
  const body = createBody({ ...sum, positions: [{ title: 'Ticket', ...sum }] });
  const invoiceId = await postTo(gateway, shop, '/invoice/create', body);
  const id = '5305e3bab097f420a62ced0b';
  const params = { id, time: Date.now(), amount: 150_000, account: { invoice_id: invoiceId } };
  for (const [method, key] of [
    ['CreateTransaction', 'wrong'],
    ['CreateTransaction', KEY],
    ['PerformTransaction', KEY],
  ]) {
    const answer = await page.request.post(hook, {
      headers: { authorization: `Basic ${btoa(`Paycom:${key}`)}` },
      data: { id: 1, method, params },
    });
    expect('error' in (await answer.json()), `${method} ${key}`).toBe(key === 'wrong');
  }
  await page.goto(`/dashboard/sandbox/invoices/${invoiceId}`);
  const story = page.getByRole('listitem').filter({ hasText: 'Payment with Payme: paid' });
  await expect(story.getByText(/^Reserved /)).toBeVisible();
  await expect(story.getByText(/^Paid /)).toBeVisible();
  await expect(story).toContainText(`ID at the acquirer ${id}`);
  await expect(page.getByRole('main')).not.toContainText('null');
  await expectGood(page);
  await page.goto('/dashboard/sandbox/invoices');
  await expect(page.getByRole('main')).toContainText(/150.000|1[,\u00a0]500/);
  await expect(page.getByRole('main')).not.toContainText('null');
});
