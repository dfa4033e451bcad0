import { expect, type Page } from '@playwright/test';
import type { NewMerchant } from '#server/merchants/mutations.ts';
import { createBody } from '#server/testing/rest.ts';
import { expectAccessible, expectNoFaults } from '../accessible.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { newShop } from './new-shop.ts';
import { openPalette } from './open-palette.ts';
import { signInAt } from './person.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

async function signIn(page: Page, { merchant }: GatewayUnderTest, password?: string) {
  await page.getByLabel('Email address').fill(merchant.owner.email);
  await page.getByLabel('Password').fill(password ?? merchant.owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a wrong password is refused, the right one leads back to where one was going', async ({
  page,
  gateway,
}) => {
  await page.goto('/docs');
  await page.goto('/dashboard/production/invoices?status=PAID');
  await expectAccessible(page);
  await signIn(page, gateway, 'wrong');
  await expect(page.getByText('Incorrect email address or password.')).toBeVisible();
  await expect(page.getByLabel('Password')).toBeFocused();
  for (const label of ['Email address', 'Password']) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(/^Incorrect email address/);
  }
  await signIn(page, gateway);
  await expect(page).toHaveURL(/\/dashboard\/production\/invoices\?status=PAID$/);
  await expect(page.getByText(/^No acquirer is connected to production yet/)).toBeVisible();
  // Back leads to the page before, not to the form.
  await page.goBack();
  await expect(page).toHaveURL(/\/docs$/);
  // An unknown address keeps the links to the other screens.
  await page.goto('/dashboard/production/invoice');
  await expect(page.getByText('Page not found')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Invoices', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/production\/invoices$/);
});

const MORE = 'More options: validity, positions, order number, addresses';

/** Fills in the form and ends on the new link's page; the suggested reference is the default. */
async function createByHand(page: Page, reference?: string): Promise<void> {
  const preview = page.getByRole('region', { name: 'What the buyer sees', exact: true });
  // The text may come before the script, which then reads it.
  await page.getByLabel('What is it for?', { exact: true }).fill('Made by hand');
  await expect(preview.getByText('Made by hand', { exact: true })).toBeVisible();
  if (reference) {
    await page.getByText(MORE, { exact: true }).click();
    await page.getByLabel('Order number', { exact: true }).fill(reference);
  }
  const amount = page.getByLabel('Amount', { exact: true });
  const create = page.getByRole('button', { name: 'Create link', exact: true });
  await create.click();
  await expect(amount).toBeFocused();
  await expect(preview.getByText('Pay', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await amount.fill('15');
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0);
  await expect(preview.getByText('Pay $15.00', { exact: true })).toBeVisible();
  await create.click();
  await expect(page).toHaveURL(/\/invoices\/inv_\w+\/link$/);
}

/** Opens the palette by the keyboard and types into it. */
async function askPalette(page: Page, text: string) {
  const box = await openPalette(page);
  await box.fill(text);
  return box;
}

test('staff make an invoice by hand, find it, cancel it after a question, and read who did it', async ({
  page,
  gateway,
}) => {
  const reference = `by-hand-${crypto.randomUUID()}`;
  await signInAt(page, gateway.merchant.owner, '/dashboard/sandbox/invoices/new');
  await createByHand(page, reference);
  const code = page.getByRole('img', { name: 'QR code of the payment page', exact: true });
  await expect(code).toHaveJSProperty('complete', true);
  expect(await code.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await (await askPalette(page, 'Invoices')).press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/sandbox\/invoices$/);
  await page.getByRole('searchbox').fill(reference);
  await page.getByRole('searchbox').press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  const box = await askPalette(page, reference);
  await expect(page.getByRole('option', { name: /^\$15\.00, Pending/ })).toBeVisible();
  await expectNoFaults(page);
  await box.press('Enter');
  const since = page
    .getByRole('region', { name: 'Summary' })
    .getByText('Cancelled', { exact: true });
  await page.getByRole('button', { name: 'Cancel invoice' }).click();
  await expect(since).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel invoice' }).click();
  await expect(page.getByText(`By ${gateway.merchant.owner.email}`, { exact: true })).toBeVisible();
  await expect(since).toBeVisible();
  await expectAccessible(page);
});

test('an invoice made by hand can be paid for as long as was chosen, whatever the time is in the browser', async ({
  page,
  gateway,
}) => {
  await page.clock.setSystemTime(Date.now() - 2 * 60 * 60 * 1000);
  await signInAt(page, gateway.merchant.owner, '/dashboard/sandbox/invoices/new');
  await page.getByText(MORE, { exact: true }).click();
  await page.getByLabel('Valid for', { exact: true }).selectOption('1 hour');
  await createByHand(page);
});

test('after signing out, the old cookie is worth nothing', async ({ page, context, gateway }) => {
  await signInAt(page, gateway.merchant.owner, '/dashboard/sandbox/account');
  await expect(page.getByText('This session').filter({ visible: true })).toBeVisible();
  const cookies = await context.cookies();
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/dashboard\/sign-in$/);
  await context.addCookies(cookies);
  await page.goto('/dashboard/sandbox/invoices');
  await expect(page).toHaveURL(/\/dashboard\/sign-in\?/);
});

test('another site can neither ask nor change', async ({ request }) => {
  const path = '/api/trpc/sandbox/account.endOtherSessions';
  const send = (headers: Record<string, string>) =>
    request.post(path, { headers, data: '{"json":null}' });
  const type = 'application/json';
  const foreign = await send({ 'content-type': type, origin: 'https://evil.example' });
  expect(foreign.status()).toBe(403);
  const form = await send({ 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' });
  expect(form.status()).toBe(415);
  const unknown = await send({ 'content-type': type, 'sec-fetch-site': 'same-origin' });
  expect(unknown.status()).toBe(401);
});

test('the endpoint of the sign-in takes no log lines, and nothing of other sites', async ({
  request,
}) => {
  const endpoint = '/api/auth';
  const wrong: [status: number, path: string, options?: Parameters<typeof request.fetch>[1]][] = [
    [404, '/_log', { method: 'POST', form: { level: 'error', code: 'FORGED' } }],
    [404, '/nothing'],
    [403, '/callback/credentials', { method: 'POST', form: { email: 'a' } }],
  ];
  for (const [status, path, options] of wrong) {
    const answer = await request.fetch(`${endpoint}${path}`, options);
    expect(answer.status(), path).toBe(status);
    expect(await answer.json()).toEqual({ message: expect.any(String) });
  }
});

test('a developer makes a token that works, and sees it once', async ({ page, gateway }) => {
  await signInAt(page, gateway.merchant.owner, '/dashboard/sandbox/developers');
  await page.getByLabel('Name of a new token').fill('Journey');
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByText(/^gw_sandbox_\w{43}$/).textContent();
  const answer = await fetch(`${gateway.origin}/api/sandbox/invoice/status?invoice_id=x`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Merchant': gateway.merchant.merchantId },
  });
  expect(answer.status).toBe(404);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Deactivate: Journey' })).toBeVisible();
  await expect(page.getByText(/^gw_sandbox_\w{43}$/)).toHaveCount(0);
  await expectAccessible(page);
});

async function createOverApi({ origin }: GatewayUnderTest, merchant: NewMerchant): Promise<void> {
  const answer = await fetch(`${origin}/api/sandbox/invoice/create`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${merchant.sandbox.apiToken}`,
      'X-Merchant': merchant.merchantId,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(createBody()),
  });
  expect(answer.status).toBe(200);
}

test('the overview tells where to begin, and its chart is for the keyboard too', async ({
  page,
  gateway,
}) => {
  const merchant = await newShop(gateway, 'New shop');
  await signInAt(page, merchant.owner, '/dashboard/sandbox?range=30');
  // An empty dashboard tells where to begin.
  await expect(page.getByText('No invoices yet', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Quick start', exact: true })).toBeVisible();
  await createOverApi(gateway, merchant);
  await page.goto('/dashboard/sandbox?range=30');
  await expect(page.getByRole('heading', { name: 'Overview', exact: true })).toBeVisible();
  await expectAccessible(page);
  // The keyboard moves through the bars; the day's figures stand below and are read aloud.
  const chart = page.getByRole('slider', { name: 'Received by day', exact: true });
  await expect(async () => {
    await chart.press('Home');
    const text = await chart.getAttribute('aria-valuetext');
    await expect(chart).toHaveValue('0', { timeout: 500 });
    await expect(page.getByRole('link', { name: text ?? '', exact: true })).toBeVisible();
  }).toPass();
});
