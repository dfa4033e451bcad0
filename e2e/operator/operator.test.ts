import { expect } from '@playwright/test';
import { inTransaction, openPool } from '#server/db/pool.ts';
import { readSettings } from '#server/merchants/settings.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { insertDue } from '#server/testing/callbacks.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { insertAttempt } from '#server/testing/payments.ts';
import { expectAccessible } from '../accessible.ts';
import { newShop } from '../dashboard/new-shop.ts';
import { signIn } from '../dashboard/person.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { openAsOperator } from './as-operator.ts';

// Axe looks at whole screens.
test.slow();

/** A sandbox callback that has failed finally. */
async function insertExhausted({ databaseUrl }: GatewayUnderTest, merchantId: string) {
  const pool = openPool(databaseUrl, 1);
  // One transaction keeps the worker from seeing it due.
  await inTransaction(pool, async (db) => {
    const ids = await insertDue(db, { merchantId, url: 'http://localhost:9/', at: new Date() });
    await db.query(`UPDATE callbacks SET state = 'exhausted' WHERE invoice_id = ANY ($1)`, [ids]);
  });
  await pool.end();
}

/** A payment thirty hours old whose capture the acquirer has accepted; its ids in a list. */
async function insertPendingCapture({ databaseUrl }: GatewayUnderTest, merchantId: string) {
  const pool = openPool(databaseUrl, 1);
  const now = new Date();
  const endDateMs = now.getTime() + 3_600_000;
  const tenant = grantTenant(merchantId, 'sandbox');
  const invoiceId = await createTestInvoice(pool, tenant, { now, endDateMs });
  const times = {
    updatedAt: new Date(now.getTime() - 30 * 3_600_000),
    // A worker ignores a time further ahead.
    recoverAt: new Date(now.getTime() + 10 * 60_000),
  };
  const id = await insertAttempt(pool, { invoiceId, status: 'capturing', ...times });
  await pool.query('UPDATE payment_attempts SET updated_at = $2 WHERE id = $1', [id, now]);
  await pool.end();
  return `${invoiceId} · ${id}`;
}

async function demandSecondFactor({ databaseUrl }: GatewayUnderTest, merchantId: string) {
  const pool = openPool(databaseUrl, 1);
  await pool.query('UPDATE merchants SET require_totp = true WHERE id = $1', [merchantId]);
  await pool.end();
}

async function zoneOf({ databaseUrl }: GatewayUnderTest, merchantId: string): Promise<string> {
  const pool = openPool(databaseUrl, 1);
  const { timeZone } = await readSettings(pool, grantTenant(merchantId, 'sandbox'));
  await pool.end();
  return timeZone;
}

test('an operator makes a merchant, acts for it in sight of it, suspends and resumes it', async ({
  page,
  gateway,
}) => {
  const email = await openAsOperator(page, gateway, '/operator/overview');
  await expect(page.getByText('Callbacks due now')).toBeVisible();
  await expect(page.getByText('worker', { exact: true }).first()).toBeVisible();
  await expectAccessible(page);

  await page.goto('/operator/merchant');
  await expect(page.getByText('Page not found')).toBeVisible();
  await page.goto('/operator/merchants/mer_unknown');
  await expect(page.getByText('Merchant not found', { exact: true })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Merchants', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/operator/merchants');

  for (const odd of ['q=%00', 'after=%00']) {
    await page.goto(`/operator/merchants?${odd}`);
    await expect(page.getByRole('table')).toBeVisible();
  }
  await page.goto('/operator/merchants?q=journey+shop');
  await expect(page.getByRole('table')).toContainText('Journey shop');
  const search = page.getByRole('searchbox', {
    name: 'Name, owner’s email, merchant ID or invoice ID',
  });
  await expect(search).toHaveValue('journey shop');
  // Addresses and ids: no phone may capitalise them or mark them as slips.
  await expect(search).toHaveAttribute('autocapitalize', 'none');
  await expect(search).toHaveAttribute('spellcheck', 'false');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'New merchant', exact: true }).click();
  await page.getByLabel('Name, as buyers see it').fill('Operated shop');
  await page.getByLabel('Owner’s email address').fill(`owner-of-${email}`);
  await page.getByLabel('Time zone').selectOption('Europe/Istanbul');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create merchant', exact: true }).click();
  const token = (await page.getByText(/^gw_sandbox_\w{43}$/).textContent()) ?? '';
  const merchantId = (await page.getByText(/^mer_\w{35}$/).textContent()) ?? '';
  const title = 'Operated shop has been created';
  const made = page.getByRole('region', { name: title, exact: true });
  await expect(made).toBeFocused();
  await expect(made).toHaveAccessibleDescription(/shown only once/);
  for (const of of ['Sandbox, API token', 'Production, API token', 'Merchant ID']) {
    await expect(made.getByRole('button', { name: `Copy: ${of}`, exact: true })).toHaveCount(1);
  }
  await expectAccessible(page);
  const statusOfToken = async () => {
    const answer = await fetch(`${gateway.origin}/api/sandbox/invoice/status?invoice_id=x`, {
      headers: { Authorization: `Bearer ${token}`, 'X-Merchant': merchantId },
    });
    return answer.status;
  };
  expect(await statusOfToken()).toBe(404);
  expect(await zoneOf(gateway, merchantId)).toBe('Europe/Istanbul');

  await page.getByRole('link', { name: 'Open the merchant', exact: true }).click();
  await page.waitForURL((url) => url.pathname.endsWith(merchantId));
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Suspend “Operated shop”?');
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(page.getByText('Suspended since')).toBeVisible();
  await expect.poll(statusOfToken).toBe(401);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByText('Suspended since')).toHaveCount(0);
  await expect.poll(statusOfToken).toBe(404);

  await page.getByRole('button', { name: 'Open its dashboard', exact: true }).click();
  await dialog.getByRole('button', { name: 'Open its dashboard', exact: true }).click();
  const banner = page.getByRole('complementary', { name: 'Acting for a merchant' });
  await banner.waitFor();
  await expect(banner).toContainText('You are acting for Operated shop');
  await page.goto('/dashboard/sandbox/invoices/new');
  await expect(page.getByText('Your role does not allow this')).toBeVisible();
  await banner.getByRole('button', { name: 'End', exact: true }).click();
  await page.waitForURL((url) => url.pathname.endsWith(merchantId));
  await expect(page.getByText('Stopped acting for the merchant')).toBeVisible();
  await expect(page.getByText('Started acting for the merchant')).toBeVisible();
  // An address stands on one line if a desktop has room for it.
  const began = page.getByRole('listitem').filter({ hasText: 'Started acting for the merchant' });
  const address = await began.getByText(email, { exact: true }).boundingBox();
  expect(address?.height).toBeLessThan(30);

  await demandSecondFactor(gateway, merchantId);
  await page.getByRole('button', { name: 'Open its dashboard', exact: true }).click();
  await dialog.getByRole('button', { name: 'Open its dashboard', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/second-factor');
  await expect(banner).toContainText('You are acting for Operated shop');
  await expectAccessible(page);
  await banner.getByRole('button', { name: 'End', exact: true }).click();
  await page.waitForURL((url) => url.pathname.endsWith(merchantId));

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/operator/overview?lang=ru');
  await expect(page.getByText('Уведомления к отправке')).toBeVisible();
  const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await widthOf()).toBe(390);
  await page.goto('/operator/account');
  await expect(page.getByRole('heading', { name: 'Второй фактор' })).toBeVisible();
  expect(await widthOf()).toBe(390);
  await page.goto(`/operator/merchants/${merchantId}`);
  await page.getByRole('button', { name: 'Приостановить', exact: true }).click();
  await expect(dialog).toContainText('Приостановить Operated shop?');
});

test('a capture that the acquirer leaves undone needs attention, and is named with its age', async ({
  page,
  gateway,
}) => {
  const { merchantId } = await newShop(gateway, 'Waiting shop');
  const ids = await insertPendingCapture(gateway, merchantId);
  await openAsOperator(page, gateway, '/operator/overview?environment=sandbox');
  const causes = page.getByRole('region', { name: 'Needs attention', exact: true });
  const cause = causes
    .getByRole('listitem')
    .filter({ hasText: 'Waiting shop' })
    .filter({ hasText: 'capture' });
  await expect(cause).toContainText('for more than a day');
  const title = 'Captures not yet carried out by the acquirer';
  const captures = page.getByRole('region', { name: title, exact: true });
  await expect(captures.getByRole('listitem').filter({ hasText: ids })).toContainText('1 day 6 hr');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/operator/overview?environment=sandbox&lang=ru');
  await expect(page.getByText('больше суток').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('a merchant’s page says of it what the list does, and of each environment its own', async ({
  page,
  gateway,
}) => {
  const { merchantId } = await newShop(gateway, 'Trying shop');
  await insertExhausted(gateway, merchantId);
  await openAsOperator(page, gateway, `/operator/merchants?q=${merchantId}`);
  await expect(page.getByRole('row').nth(1)).toContainText('Quiet');
  await page.goto(`/operator/merchants?q=${merchantId}&environment=sandbox`);
  await expect(page.getByRole('row').nth(1)).toContainText('Callbacks failing');
  await page.goto(`/operator/merchants/${merchantId}`);
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(panel('Sandbox').getByText('Callbacks failing', { exact: true })).toBeVisible();
  await expect(panel('Production').getByText('Quiet', { exact: true })).toBeVisible();
  await expect(page.getByText('Callbacks failing', { exact: true })).toHaveCount(1);
  await expect(page.getByText('Quiet', { exact: true })).toHaveCount(2);
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      document.body.dataset.copied = text;
    };
  });
  // A press has no effect before the script is there.
  await expect(async () => {
    await page.getByRole('button', { name: 'Copy ID', exact: true }).click();
    await expect(page.locator('body')).toHaveAttribute('data-copied', merchantId, { timeout: 500 });
  }).toPass();
  await expectAccessible(page);
});

test('to everybody else the operator’s pages do not exist', async ({ page, gateway }) => {
  await page.goto('/operator/merchants');
  await signIn(page, gateway.merchant.owner.email, gateway.merchant.owner.password);
  await expect(page.getByText('404')).toBeVisible();
});
