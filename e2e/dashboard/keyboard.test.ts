import { expect, type Locator, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { findOrCreateUser, setMember } from '#server/staff/members.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import type { OpenedMerchant } from '#server/testing/merchants.ts';
import { test } from '../fixtures.ts';
import { holdRequests } from '../held-requests.ts';
import { newShop, twoShops } from './new-shop.ts';
import { signInAt } from './person.ts';

// Each journey goes through several screens.
test.slow();

async function signIn(page: Page, { owner }: OpenedMerchant): Promise<void> {
  await page.getByLabel('Email address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
}

/** Presses a button, and its namesake in the question if there is one. */
async function press(page: Page, name: string, confirm?: string): Promise<void> {
  const button = page.getByRole('main').getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  // A press has no effect before the script is there.
  if (confirm) {
    await expect(async () => {
      await button.press('Enter', { timeout: 1_000 });
      await expect(dialog).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await dialog.getByRole('button', { name: confirm, exact: true }).press('Enter');
  } else {
    await button.press('Enter');
  }
  await expect(button).toHaveCount(0);
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

test('where the pressed button goes, the heading above it has the focus, and it is said what was done', async ({
  page,
  browser,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Focus journey');
  const pool = openPool(gateway.databaseUrl, 1);
  const now = new Date();
  const leaver = `leaver-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const { id: userId } = await findOrCreateUser(pool, { email: leaver, now });
  await setMember(pool, { merchantId: shop.merchantId, userId, role: 'viewer', now });
  const tenant = grantTenant(shop.merchantId, 'sandbox');
  const endDateMs = now.getTime() + 60 * 60 * 1000;
  const invoiceId = await createTestInvoice(pool, tenant, { now, endDateMs });
  await pool.end();

  const elsewhere = await browser.newContext({ baseURL: gateway.origin });
  const other = await elsewhere.newPage();
  await other.goto('/dashboard/sandbox/account');
  await signIn(other, shop);
  await elsewhere.close();

  await signInAt(page, shop.owner, '/dashboard/sandbox/team');
  await press(page, `Remove: ${leaver}`, 'Remove');
  await expect(heading(page, 'Members · 1')).toBeFocused();
  const invited = `invited-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await page.getByLabel('Email address').fill(invited);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  const again = page.getByRole('button', { name: `Resend: ${invited}`, exact: true });
  await Promise.all([page.waitForResponse(/resendInvitation/), again.press('Enter')]);
  await expect(again).toHaveAttribute('aria-disabled', 'false');
  await expect(again).toBeFocused();
  await press(page, `Withdraw: ${invited}`);
  await expect(heading(page, 'Invite someone')).toBeFocused();

  await page.goto(`/dashboard/sandbox/invoices/${invoiceId}`);
  await press(page, 'Cancel invoice', 'Cancel invoice');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.goto('/dashboard/sandbox/developers');
  // The toast is brief, so the test looks for it during the work.
  await Promise.all([
    expect(page.getByText('Token deactivated.')).toBeVisible(),
    press(page, 'Deactivate: First token', 'Deactivate'),
  ]);
  await expect(heading(page, 'API tokens')).toBeFocused();

  await page.goto('/dashboard/sandbox/account');
  const end = page.getByRole('button', { name: /^End the session on / });
  await expect(end).toHaveCount(1);
  const said = expect(page.getByText('Session ended.')).toBeVisible();
  await expect(async () => {
    if ((await end.count()) > 0) await end.press('Enter', { timeout: 1_000 });
    await expect(end).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await said;
  await expect(heading(page, 'Where you are signed in')).toBeFocused();
});

test('a form whose button was pressed by a key keeps the focus while it is sent and after, and is sent once', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Kept focus');
  const buttonOf = (name: string) => page.getByRole('button', { name, exact: true });
  // A press has no effect before the script is there.
  const open = (path: string) => page.goto(path, { waitUntil: 'networkidle' });
  await signInAt(page, shop.owner, '/dashboard/sandbox/settings');
  await open('/dashboard/sandbox/settings');
  const { release, asked } = await holdRequests(page, '**/settings.save*');
  const save = buttonOf('Save');
  await save.press('Enter');
  await expect(save).toBeDisabled();
  await expect(save).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  release();
  await expect(page.getByText('Settings saved.')).toBeVisible();
  await expect(save).toBeEnabled();
  expect(asked()).toBe(1);

  await open('/dashboard/sandbox/team');
  const invited = `invited-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await page.getByLabel('Email address').fill(invited);
  await buttonOf('Send invitation').press('Enter');
  await expect(buttonOf(`Withdraw: ${invited}`)).toBeVisible();
  await expect(buttonOf('Send invitation')).toBeFocused();

  await open('/dashboard/sandbox/callbacks/test');
  await page.getByLabel('Address', { exact: true }).fill('http://localhost:9/callback');
  await buttonOf('Send samples').press('Enter');
  await expect(page.getByText('connection refused').first()).toBeVisible();
  await expect(buttonOf('Send samples')).toBeFocused();

  await page.context().clearCookies();
  await open('/dashboard/forgot-password');
  await page.getByLabel('Email address').fill(invited);
  await buttonOf('Email me a link').press('Enter');
  const accepted = page.getByRole('status').filter({ hasText: 'If there is an account' });
  await expect(accepted).toBeFocused();
});

test('what a menu has no room for on a low screen can be scrolled to', async ({
  page,
  gateway,
}) => {
  const name = 'Low screen journey and its partners, a company with limited liability';
  const { first: shop } = await twoShops(gateway, name, 'Another shop');
  await page.setViewportSize({ width: 640, height: 320 });
  await signInAt(page, shop.owner, '/dashboard/sandbox/invoices');
  const canReach = async (last: Locator) => {
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport({ ratio: 1 });
  };
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await canReach(page.getByRole('button', { name: 'Sign out', exact: true }));
  const menu = page.locator('#user-menu');
  expect(await menu.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
  await canReach(page.getByRole('button', { name: 'Download', exact: true }));
});
