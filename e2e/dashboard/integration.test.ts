import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { LOCALE_COOKIE } from '#server/lib/locales.ts';
import type { OpenedMerchant } from '#server/testing/merchants.ts';
import { expectNoFaults } from '../accessible.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { addEndedTokens } from './ended-tokens.ts';
import { newShop } from './new-shop.ts';

// These are the tasks of a merchant's developer: failing callbacks, a test of the endpoint, the log
// of requests, tokens; and the owner's settings for the buyers' pages.
test.slow();

const SIGNED_IN_WITHIN_MS = 30_000;
const PHONE = { width: 390, height: 844 };

async function post(
  { origin }: GatewayUnderTest,
  merchant: OpenedMerchant,
  path: string,
  { body, id }: { body: object; id: string },
) {
  const answer = await fetch(`${origin}/api/sandbox${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${merchant.sandbox.apiToken}`,
      'X-Merchant': merchant.merchantId,
      'Content-Type': 'application/json',
      'X-Request-Id': id,
    },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as { data?: { invoice_id: string; invoice_url: string } };
}

function order(callbackUrl: string) {
  return {
    amount: 1500,
    currency: 'USD',
    description: 'Two tickets',
    end_date: Date.now() + 3_600_000,
    positions: [{ title: 'Ticket', amount: 1500, currency: 'USD' }],
    merchant_transaction_id: `journey-${crypto.randomUUID()}`,
    success_url: 'https://example.com/thanks',
    error_url: 'https://example.com/cart',
    callback_url: callbackUrl,
  };
}

async function open(page: Page, { owner }: OpenedMerchant, path: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Email address', { exact: true }).fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  // The first sign-in after a start can be slow, and would undo a new address before its end.
  await expect(page).toHaveURL((url) => url.pathname === path, { timeout: SIGNED_IN_WITHIN_MS });
}

async function expectGoodInTheLight(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoFaults(page);
}

async function speak(page: Page, language: 'en' | 'ru'): Promise<void> {
  const { origin } = new URL(page.url());
  await page.context().addCookies([{ name: LOCALE_COOKIE, value: language, url: origin }]);
}

/** Axe finds a screen good, and again in Russian, in the dark, on a phone. */
async function expectGood(page: Page, russianHeading: string): Promise<void> {
  await expectGoodInTheLight(page);
  const wide = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  await speak(page, 'ru');
  await page.reload();
  const heading = page.getByRole('heading', { name: russianHeading, level: 1, exact: true });
  await expect(heading).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.width);
  await expectNoFaults(page, { coloursOnly: true });
  await page.setViewportSize(wide);
  await speak(page, 'en');
}

/** A merchant's server with a failing and a working address. */
async function openShop() {
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const works = request.url === '/mended';
      response.statusCode = works ? 200 : 503;
      response.end(works ? '{"success":true}' : '{"error":"closed"}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/callback`,
    mendedUrl: `http://${host}/mended`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a failing host is found, its callback read to the byte, tested, and sent again', async ({
  page,
  gateway,
}) => {
  const shop = await openShop();
  const merchant = await newShop(gateway, 'Callback shop');
  const { data } = await post(gateway, merchant, '/invoice/create', {
    body: order(shop.url),
    id: 'made',
  });
  const invoiceId = data?.invoice_id ?? '';
  await post(gateway, merchant, '/invoice/cancel', {
    body: { invoice_id: invoiceId },
    id: 'cancelled',
  });
  await open(page, merchant, '/dashboard/sandbox/callbacks');

  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('link', { name: shop.host }).first()).toBeVisible({ timeout: 500 });
    await expect(page.getByText('answered 503, not 200').first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await page
    .getByRole('region', { name: 'Failing hosts', exact: true })
    .getByText(shop.host)
    .click();
  await expect(page).toHaveURL(new RegExp(`host=${encodeURIComponent(shop.host)}`));
  await expectGood(page, 'Callback-уведомления');

  await page.locator('[data-row]').first().click();
  await expect(page.getByText('POST /callback HTTP/1.1').first()).toBeVisible();
  await expect(page.getByLabel('Response').first()).toHaveValue('{"error":"closed"}');
  const body = page.getByRole('textbox', { name: 'Body', exact: true });
  await expect(body).toHaveValue(new RegExp(`^\\{\n  "invoice_id": "${invoiceId}"`));
  await page.getByRole('radio', { name: 'Raw', exact: true }).check();
  await expect(body).toHaveValue(new RegExp(`^\\{"invoice_id":"${invoiceId}"`));
  await expectGood(page, shop.host);

  await page.goto('/dashboard/sandbox/callbacks/test');
  await page.getByLabel('Address', { exact: true }).fill(shop.url);
  await page.getByRole('button', { name: 'Send samples', exact: true }).click();
  await expect(page.getByText('does not follow the contract')).toBeVisible();
  await page.getByLabel('Address', { exact: true }).fill(shop.mendedUrl);
  await page.getByRole('button', { name: 'Send samples', exact: true }).click();
  await expect(page.getByText('but a forged callback was accepted')).toBeVisible();
  await expect(page.getByText('This endpoint follows the contract')).toHaveCount(0);
  await expect(page.getByText('Anyone who knows the address')).toBeVisible();
  await expectGood(page, 'Проверка адреса');

  await page.goto(`/dashboard/sandbox/callbacks?host=${encodeURIComponent(shop.host)}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Resend failed…', exact: true }).click();
  await expect(dialog.getByText('To be resent: 1')).toBeVisible();
  await page.context().setOffline(true);
  await dialog.getByLabel(/^Failed since/).selectOption('1');
  await expect(dialog.getByText('The gateway cannot be reached.')).toBeVisible();
  await expect(dialog.getByText('Counting…')).toHaveCount(0);
  await expectNoFaults(page);
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(dialog.getByLabel(/^Failed since/)).toBeFocused();
  await expect(dialog.getByText('To be resent: 1')).toBeVisible();
  await expect(dialog.getByText(`1 to ${shop.host}`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect(page.getByText('Resent: 1', { exact: true })).toBeVisible();
  shop.close();
});

test('a refused request is found with the path of its fault, and a token is rotated', async ({
  page,
  gateway,
}) => {
  const merchant = await newShop(gateway, 'Developer shop');
  const body = { ...order('https://shop.example/callback'), amount: 0 };
  await post(gateway, merchant, '/invoice/create', { body, id: 'journey-refused' });
  await open(page, merchant, '/dashboard/sandbox/developers/requests');
  await expect(async () => {
    await page.goto('/dashboard/sandbox/developers/requests?q=journey-refused');
    await expect(page.getByText('body.amount')).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.getByRole('button', { name: 'Add filter: Outcome' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Succeeded', exact: true }).click();
  await expect(page.getByText('No matching requests')).toBeVisible();
  await page.goto('/dashboard/sandbox/developers/requests?outcome=failed');
  await expectGood(page, 'Журнал запросов');
  await page.goto('/dashboard/sandbox/developers');
  await expect(page.getByText(`# export BASE_URL=${gateway.origin}/api/sandbox`)).toBeVisible();
  await page.getByRole('tab', { name: 'Python', exact: true }).first().click();
  await expect(page.getByText('urllib.request.Request(')).toBeVisible();
  await page.getByLabel('Name of a new token', { exact: true }).fill('Rotated');
  await page.getByRole('button', { name: 'Create token', exact: true }).click();
  await page.getByRole('button', { name: 'Rotate: Rotated', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
  const token = await dialog.getByText(/^gw_sandbox_\w{43}$/).textContent();
  const answer = await fetch(`${gateway.origin}/api/sandbox/invoice/status?invoice_id=x`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Merchant': merchant.merchantId },
  });
  expect(answer.status).toBe(404);
  await dialog.getByRole('button', { name: 'Done', exact: true }).click();
  await expectGood(page, 'Разработчикам');
});

test('what is made anew stays in sight until it is copied, and the lists tell of it', async ({
  page,
  gateway,
}) => {
  const merchant = await newShop(gateway, 'Rotating shop');
  await open(page, merchant, '/dashboard/sandbox/developers');
  const tokens = page.getByRole('region', { name: 'API tokens', exact: true });
  const dialog = page.getByRole('dialog');
  const refreshes: string[] = [];
  page.on('request', (sent) => {
    if (sent.headers().rsc && sent.url().includes('/developers')) refreshes.push(sent.url());
  });
  await tokens.getByRole('button', { name: /^Rotate: / }).click();
  await dialog.getByLabel('Old token keeps working for', { exact: true }).selectOption('0');
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
  const shown = dialog.getByText(/^gw_sandbox_\w{43}$/);
  const token = await shown.textContent();
  const statusWith = async (bearer: string | null) => {
    const answer = await fetch(`${gateway.origin}/api/sandbox/invoice/status?invoice_id=x`, {
      headers: { Authorization: `Bearer ${bearer}`, 'X-Merchant': merchant.merchantId },
    });
    return answer.status;
  };
  expect(await statusWith(token)).toBe(404);
  await expect.poll(() => statusWith(merchant.sandbox.apiToken)).toBe(401);
  // A refreshed page would have no place for the dialog of an ended token.
  expect(refreshes).toEqual([]);
  await dialog.getByRole('button', { name: 'Done', exact: true }).click();
  const ended = tokens.locator('.badge').filter({ visible: true });
  await expect(ended).toHaveText(['Ended']);
  await expect(dialog).toHaveCount(0);

  await addEndedTokens(gateway, merchant, 7);
  await page.reload();
  await expect(ended).toHaveCount(5);
  await tokens.getByText('More ended tokens: 3', { exact: true }).click();
  await expect(ended).toHaveCount(8);
  await expectNoFaults(page);

  // Plain http has no clipboard on any other name than localhost.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  const secret = page.getByRole('region', { name: 'Signing secret', exact: true });
  await secret.getByRole('button', { name: 'Rotate secret', exact: true }).click();
  await dialog.getByRole('button', { name: 'Rotate secret', exact: true }).click();
  await expect(secret.getByText(/^whsec_\S{20,}$/)).toBeVisible();
  await expect(secret.getByRole('listitem')).toHaveCount(2);
  await expect(secret.getByText('in use until')).toBeVisible();
  await secret.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(secret.getByRole('button', { name: 'Not copied', exact: true })).toBeVisible();
  await expect(secret.getByText(/^whsec_\S{20,}$/)).toBeVisible();
});

test('colour and logo are previewed, saved, and seen by buyers', async ({ page, gateway }) => {
  const merchant = await newShop(gateway, 'Plain shop');
  await open(page, merchant, '/dashboard/sandbox/settings');
  const color = page.getByRole('textbox', { name: 'Button colour', exact: true });
  await color.fill('#ffee00');
  await expect(page.getByText('The gateway’s colour is used')).toBeVisible();
  await color.fill('#0a7f5a');
  await expect(page.getByText('The gateway’s colour is used')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Settings saved.')).toBeVisible();
  await page
    .getByLabel('Choose an image', { exact: true })
    .setInputFiles('public/readme/pay-phone.png');
  await expect(page.getByText('Logo saved.')).toBeVisible();
  await expectGood(page, 'Настройки');

  const body = order('https://shop.example/callback');
  const { data } = await post(gateway, merchant, '/invoice/create', { body, id: 'branded' });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(data?.invoice_url ?? '');
  const logo = page.locator('header img');
  await expect(logo).toHaveAttribute('src', /^\/api\/logo\//);
  expect(await logo.evaluate((img: HTMLImageElement) => img.naturalHeight)).toBe(192);
  const green = ['background-color', 'rgb(10, 127, 90)'] as const;
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCSS(...green);
  await expectGoodInTheLight(page);
  await page.goto('/dashboard/sandbox/invoices/new');
  await expect(page.getByText('Pay', { exact: true })).toHaveCSS(...green);
});
