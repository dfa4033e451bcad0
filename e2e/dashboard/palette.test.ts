import { expect, type Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import { SCRIPTS } from './hold-scripts.ts';
import { ownerAt } from './new-shop.ts';
import { openPalette } from './open-palette.ts';
import { expectProgress } from './progress.ts';

/** Opens the palette, types, and chooses the only remaining line. */
async function take(page: Page, text: string, line: string): Promise<void> {
  const box = await openPalette(page);
  await box.fill(text);
  await expect(page.getByRole('dialog').getByRole('option')).toHaveText([line]);
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

test('the palette gives way to the offer to sign in where its search finds the session ended', async ({
  page,
  context,
  gateway,
}) => {
  await ownerAt(page, gateway, 'Ended', '/dashboard/sandbox/team');
  await expect(page.getByRole('heading', { name: 'Team', exact: true })).toBeVisible();
  const box = await openPalette(page);
  await context.clearCookies();
  await box.fill('order');
  const offer = page.getByRole('link', { name: 'Sign in in a new tab' });
  await expect(offer).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The page has no typed text that could be lost.
  await expect(page.getByText('This page stays as it is.')).toBeVisible();
  await expect(page.getByText('What you typed')).toHaveCount(0);
  // No other element covers it.
  await offer.click({ trial: true });
});

test('a line at the top says that the palette is coming', async ({ page, gateway }) => {
  await ownerAt(page, gateway, 'Slow palette', '/dashboard/sandbox/invoices');
  await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const press = () => page.getByRole('button', { name: 'Search or go to…' }).click();
  await expectProgress(page, press, SCRIPTS);
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
});
