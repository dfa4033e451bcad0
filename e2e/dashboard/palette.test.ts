import { expect, type Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import { ownerAt } from './new-shop.ts';
import { openPalette } from './open-palette.ts';
import { expectProgress } from './progress.ts';

/** Opens the palette, types, and chooses the first line. */
async function take(page: Page, text: string, line: string): Promise<void> {
  const box = await openPalette(page);
  await box.fill(text);
  await expect(page.getByRole('dialog').getByRole('option').first()).toHaveText(line);
  await box.press('Enter');
}

test('the palette does things as well: a token, the other environment, the end of the session', async ({
  page,
  gateway,
}) => {
  await ownerAt(page, gateway, 'Commands', '/dashboard/sandbox/invoices?status=PAID');
  await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible();
  await expectProgress(page, () => take(page, 'switch', 'Switch to production'));
  await expect(page).toHaveURL(/\/dashboard\/production\/invoices\?status=PAID$/);
  await take(page, 'token', 'Create an API token');
  await expect(page).toHaveURL(/\/dashboard\/production\/developers#token-name$/);
  const name = page.getByLabel('Name of a new token');
  await expect(name).toBeInViewport();
  await expect(name).toBeFocused();
  // The user has moved on meanwhile on the same page.
  await page.getByLabel('Expires').focus();
  await take(page, 'token', 'Create an API token');
  await expect(name).toBeFocused();
  await take(page, 'sign', 'Sign out');
  await expect(page).toHaveURL(/\/dashboard\/sign-in$/);
  await page.goto('/dashboard/production');
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();
});
