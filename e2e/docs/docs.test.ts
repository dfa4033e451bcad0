import { expect, type Page } from '@playwright/test';
import { expectNoFaults } from '../accessible.ts';
import { test } from '../fixtures.ts';

// Axe looks at whole pages, at one in each theme: their colours are the same tokens.
test.slow();

async function expectGood(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expectNoFaults(page);
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
  // What only a script can do is tried until the script is there.
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
  const search = page.getByRole('combobox', { name: 'Search the documentation' });
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(search).toBeFocused({ timeout: 500 });
  }).toPass();
  await search.fill('lone surrogate');
  await expect(page.getByRole('option').first()).toContainText('lone surrogate');
  await search.press('Enter');
  await expect(page).toHaveURL(/\/docs\/errors#lone-surrogate$/);
  await expect(page.locator('#lone-surrogate')).toBeInViewport();

  await page.goto('/docs/api');
  const create = page.locator('#createInvoice');
  await create.getByText('Try it in the sandbox', { exact: true }).click();
  const send = create.getByRole('button', { name: 'Send', exact: true });
  await expect(async () => {
    await page.getByLabel('Merchant id', { exact: true }).fill(gateway.merchant.merchantId);
    await page.getByLabel('Sandbox token', { exact: true }).fill(gateway.merchant.sandbox.apiToken);
    await expect(send).toBeEnabled({ timeout: 500 });
  }).toPass();
  await send.click();
  await expect(create.getByRole('status')).toContainText('200');
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
