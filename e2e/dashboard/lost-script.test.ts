import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { expectGood, signIn } from './person.ts';

// An upgrade has taken the files of the version before away, or there is no connection.
test.slow();

const SCRIPTS = '**/_next/static/chunks/**';
const FAILURE = 'The gateway cannot be reached.';

test('a palette whose script does not come leaves the page as it is, and opens once it does', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Palette offline');
  await page.goto('/dashboard/sandbox/invoices/new');
  await signIn(page, owner.email, owner.password);
  const description = page.getByLabel('Description', { exact: true });
  await description.fill('Typed for long');
  await page.route(SCRIPTS, (route) => route.abort());
  // Keys are no use before the page's own script is there.
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByText('Perhaps the gateway was updated').first()).toBeVisible({
      timeout: 2_000,
    });
  }).toPass({ timeout: 15_000 });
  await expect(description).toHaveValue('Typed for long');
  await page.unroute(SCRIPTS);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'An id, an amount' })).toBeFocused();
});

test('who cannot be sent to a provider is told, and can try again', async ({ page }) => {
  await page.goto('/dashboard/sign-in');
  await page.route(SCRIPTS, (route) => route.abort());
  const provider = page.getByRole('button', { name: 'Continue with Journey ID', exact: true });
  await expect(async () => {
    await provider.click({ timeout: 1_000 });
    await expect(page.getByText(FAILURE)).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 15_000 });
  await expect(provider).toBeEnabled();
  await expectGood(page);
});
