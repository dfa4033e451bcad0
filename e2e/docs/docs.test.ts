import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { projectRoot } from '#server/settings/settings.ts';
import { expectNoFaults } from '../accessible.ts';
import { holdScripts } from '../dashboard/hold-scripts.ts';
import { test } from '../fixtures.ts';
import { holdRequests } from '../held-requests.ts';

// Axe looks at whole pages, one in each theme: their colours are the same tokens.
test.slow();

async function expectGood(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expectNoFaults(page);
}

/** Opens the search, trying until the script is there; returns its field. */
async function openSearch(page: Page): Promise<Locator> {
  const search = page.getByRole('combobox', { name: 'Search the documentation' });
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(search).toBeFocused({ timeout: 500 });
  }).toPass();
  return search;
}

test('a developer reads on a phone, searches, and makes an invoice from the reference', async ({
  page,
  gateway,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs');
  await page.getByText('Menu', { exact: true }).click();
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Callbacks and signatures', exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Callbacks and signatures');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
  // The test tries until the script is there.
  await expect(async () => {
    await page.getByRole('tab', { name: 'Go', exact: true }).click();
    await expect(page.getByRole('tabpanel').filter({ visible: true })).toContainText('io.ReadAll', {
      timeout: 500,
    });
  }).toPass();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBe(0);
  await expectGood(page, 'light');

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/docs/quick-start');
  await expect(page.getByRole('tab', { name: 'Go', exact: true }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  );
  const search = await openSearch(page);
  await search.fill('webhook signature php');
  await expect(page.getByRole('option').first()).toContainText('Verify the signature');
  await search.fill('lone surrogate');
  await expect(page.getByRole('option').first()).toContainText('lone surrogate');
  await search.press('Enter');
  await expect(page).toHaveURL(/\/docs\/errors#lone-surrogate$/);
  await expect(page.locator('#lone-surrogate')).toBeInViewport();
  await page.getByRole('banner').getByRole('link', { name: 'Русский', exact: true }).click();
  await expect(page).toHaveURL(/\/docs\/ru\/errors#lone-surrogate$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  await expect(page.locator('#lone-surrogate')).toBeInViewport();

  // Browsers lack it over plain http on any name but localhost.
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'));
  await page.goto('/docs/api');
  const create = page.locator('#createInvoice');
  await create.getByText('Try it in the sandbox', { exact: true }).click();
  const send = create.getByRole('button', { name: 'Send', exact: true });
  await expect(async () => {
    await page.getByLabel('Merchant ID', { exact: true }).fill(gateway.merchant.merchantId);
    await page.getByLabel('Sandbox token', { exact: true }).fill(gateway.merchant.sandbox.apiToken);
    await expect(send).toBeEnabled({ timeout: 500 });
  }).toPass();
  await send.click();
  await expect(create.getByRole('status')).toContainText('200');
  await expect(create.getByRole('status')).toBeInViewport({ ratio: 1 });
  const link = create.getByRole('link', { name: 'Open the payment page', exact: true });
  const invoiceId = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
  expect(invoiceId).toMatch(/^inv_/);
  const status = page.locator('#readInvoiceStatus');
  await status.getByText('Try it in the sandbox', { exact: true }).click();
  await expect(status.getByRole('textbox', { name: 'invoice_id' })).toHaveValue(invoiceId);
  await status.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(status.getByRole('status')).toContainText('200');
  await expectGood(page, 'dark');
});

test('the menu of a phone gives way to a section of the page that it lies over', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/api');
  await openSearch(page);
  await page.keyboard.press('Escape');
  await page.getByText('Menu', { exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Pages' });
  await menu.getByRole('link', { name: 'Cancel an unpaid invoice', exact: true }).click();
  await expect(page).toHaveURL(/\/docs\/api#cancelInvoice$/);
  await expect(menu).toBeHidden();
  await expect(page.locator('#cancelInvoice')).toBeInViewport();
});

for (const address of ['/docs/nope', '/docs/callbacks/nope']) {
  test(`404 at ${address}, in the frame of the docs`, async ({ page }) => {
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(404);
    const title = 'There is no such page in the docs';
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page).toHaveTitle('There is no such page · Documentation');
    const pages = page.getByRole('navigation', { name: 'Documentation', exact: true });
    await expect(pages.getByRole('link', { name: 'Retries', exact: true })).toBeVisible();
    const first = page.getByRole('main').getByRole('link', { name: 'Quick start' });
    await expect(first).toHaveAttribute('href', '/docs/quick-start');
    await openSearch(page);
    await page.keyboard.press('Escape');
    await expectGood(page, 'light');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
}

test('what the keyboard goes back to is not hidden behind the head', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto('/docs/quick-start');
  const head = await page.getByRole('banner').boundingBox();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const links = page.getByRole('main').getByRole('link');
  await links.last().focus();
  for (let left = await links.count(); left > 1; left--) {
    await page.keyboard.press('Shift+Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: at } = document;
      return at?.closest('main')
        ? { name: at.textContent, top: at.getBoundingClientRect().top }
        : null;
    });
    if (!focused) break;
    expect(focused.top, focused.name ?? '').toBeGreaterThanOrEqual(head?.height ?? 0);
  }
});

test('a sample is taken as text, by its own name', async ({ request }) => {
  for (const file of ['create-invoice.sh', 'receive-next.ts']) {
    const answer = await request.get(`/samples/${file}`);
    expect(answer.headers()).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${file}"`,
    });
    expect(await answer.text()).toBe(
      await readFile(path.join(projectRoot(), 'public', 'samples', file), 'utf8'),
    );
  }
});

test('an index that is refused is told of, and the page stays', async ({ page }) => {
  await page.goto('/docs');
  const refusal = { status: 503, json: { error: 'Too busy' } };
  await page.route('**/docs/search.json', (route) => route.fulfill(refusal));
  const search = await openSearch(page);
  await search.fill('x');
  await expect(page.getByText('Search could not be loaded. Close it and try again.')).toBeVisible();
  await page.unroute('**/docs/search.json');
  await page.keyboard.press('Escape');
  await (await openSearch(page)).fill('lone surrogate');
  await expect(page.getByRole('option').first()).toContainText('lone surrogate');
});

test('a remembered language that is none leaves the first', async ({ page, gateway }) => {
  await page.context().addCookies([{ name: 'docs_language', value: '%25', url: gateway.origin }]);
  const answer = await page.goto('/docs/quick-start');
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole('tab', { name: 'curl', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test('what was copied badly is told before it is sent, and no old answer stays', async ({
  page,
  gateway,
}) => {
  const { merchantId, sandbox } = gateway.merchant;
  await page.goto('/docs/api');
  const status = page.locator('#readInvoiceStatus');
  await status.getByText('Try it in the sandbox', { exact: true }).click();
  const send = status.getByRole('button', { name: 'Send', exact: true });
  await expect(async () => {
    await page.getByLabel('Merchant ID', { exact: true }).fill(merchantId);
    await page.getByLabel('Sandbox token', { exact: true }).fill(sandbox.apiToken);
    await expect(send).toBeEnabled({ timeout: 500 });
  }).toPass();
  // It is only read aloud if the region precedes its text.
  await expect(status.getByRole('status')).toHaveText('');
  await status.getByRole('textbox', { name: 'invoice_id' }).fill('inv_none');
  const { release, asked } = await holdRequests(page, '**/api/sandbox/**');
  await send.press('Enter');
  const sending = status.getByRole('button', { name: 'Sending…', exact: true });
  await expect(sending).toBeFocused();
  await sending.press('Enter');
  release();
  await expect(status.getByRole('status')).toContainText('404');
  await expect(send).toBeFocused();
  expect(asked()).toBe(1);
  await page.getByLabel('Sandbox token', { exact: true }).fill('gw_sandbox_…');
  await send.click();
  await expect(status.getByRole('alert')).toHaveText('The token cannot hold “…”. Copy it whole.');
  await expect(status.getByRole('status')).toHaveText('');
  await expect(status.getByText('Invoice not found')).toBeHidden();
});

test('what is typed into the reference before the script is there is sent', async ({
  page,
  gateway,
}) => {
  const { merchantId, sandbox } = gateway.merchant;
  const release = await holdScripts(page);
  await page.goto('/docs/api', { waitUntil: 'commit' });
  await page.getByLabel('Merchant ID', { exact: true }).fill(merchantId);
  await page.getByLabel('Sandbox token', { exact: true }).fill(sandbox.apiToken);
  const [create, status] = [page.locator('#createInvoice'), page.locator('#readInvoiceStatus')];
  for (const each of [create, status]) {
    await each.getByText('Try it in the sandbox', { exact: true }).click();
  }
  const body = create.getByRole('textbox', { name: 'Body' });
  await body.fill('{"amount": -1}');
  await status.getByRole('textbox', { name: 'invoice_id' }).fill('inv_none');
  release();
  await create.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(create.getByRole('status')).toContainText('422');
  await expect(body).toHaveValue('{"amount": -1}');
  await status.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(status.getByRole('status')).toContainText('404');
  await create.getByRole('button', { name: 'New values' }).click();
  await expect(body).toHaveValue(/"amount": 1500/);
});
