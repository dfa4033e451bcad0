import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

async function createInvoice({ origin, merchant }: GatewayUnderTest): Promise<string> {
  const amount = 1500;
  const answer = await fetch(`${origin}/api/sandbox/invoice/create`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${merchant.sandbox.apiToken}`,
      'X-Merchant': merchant.merchantId,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      amount,
      currency: 'USD',
      description: 'Seen by staff',
      end_date: Date.now() + 3_600_000,
      positions: [{ title: 'Coffee beans', amount, currency: 'USD' }],
      merchant_transaction_id: `dashboard-${crypto.randomUUID()}`,
      success_url: 'https://example.com/thanks',
      error_url: 'https://example.com/cart',
      callback_url: 'http://localhost:9/callback',
    }),
  });
  const { data } = (await answer.json()) as { data: { invoice_id: string } };
  return data.invoice_id;
}

async function signIn(page: Page, { merchant }: GatewayUnderTest, password?: string) {
  await page.getByLabel('E-mail address').fill(merchant.owner.email);
  await page.getByLabel('Password').fill(password ?? merchant.owner.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  }
}

test('a wrong password is refused, the right one leads back to where one was going', async ({
  page,
  gateway,
}) => {
  await page.goto('/dashboard/production/invoices?status=PAID');
  await expectAccessible(page);
  await signIn(page, gateway, 'wrong');
  await expect(page.getByText('The address or the password is not right.')).toBeVisible();
  await signIn(page, gateway);
  await expect(page).toHaveURL(/\/dashboard\/production\/invoices\?status=PAID$/);
});

test('staff find an invoice, cancel it after a question, and read who did it', async ({
  page,
  gateway,
}) => {
  const invoiceId = await createInvoice(gateway);
  await page.goto('/dashboard/sandbox/invoices');
  await signIn(page, gateway);
  await page.getByRole('searchbox').fill(invoiceId);
  await page.getByRole('searchbox').press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('link', { name: '15.00 USD' }).click();
  await page.getByRole('button', { name: 'Cancel invoice' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel invoice' }).click();
  await expect(page.getByText(`by ${gateway.merchant.owner.email}`)).toBeVisible();
  await expectAccessible(page);
});

test('after signing out, the old cookie is worth nothing', async ({ page, context, gateway }) => {
  await page.goto('/dashboard/sandbox/account');
  await signIn(page, gateway);
  await expect(page.getByText('This session')).toBeVisible();
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

test('a developer makes a token that works, and sees it once', async ({ page, gateway }) => {
  await page.goto('/dashboard/sandbox/developers');
  await signIn(page, gateway);
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

test('callbacks are listed by state', async ({ page, gateway }) => {
  await page.goto('/dashboard/sandbox/callbacks?state=exhausted');
  await signIn(page, gateway);
  await expect(page.getByRole('heading', { name: 'Callbacks' })).toBeVisible();
  await expectAccessible(page);
});
