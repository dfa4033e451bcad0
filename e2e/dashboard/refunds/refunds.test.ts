import { expect, type Page, type Route } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { createPaidInvoice } from '#server/testing/refunds.ts';
import { test } from '../../fixtures.ts';
import type { GatewayUnderTest } from '../../gateway.ts';
import { newShop } from '../new-shop.ts';
import { expectGood, signIn } from '../person.ts';

// The journey has axe look at whole screens in both themes.
test.slow();

/** Lets the server carry out a call and loses its answer. */
const lose = async (route: Route) => {
  await route.fetch();
  await route.abort();
};

async function paidInvoice({ databaseUrl }: GatewayUnderTest, merchantId: string): Promise<string> {
  const pool = openPool(databaseUrl, 2);
  const id = await createPaidInvoice(pool, grantTenant(merchantId, 'sandbox'), { now: new Date() });
  await pool.end();
  return id;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens the form; a press has no effect before the script is there. */
async function openForm(page: Page): Promise<void> {
  await expect(async () => {
    await button(page, 'Refund').click({ timeout: 2_000 });
    await expect(page.getByLabel('Amount, USD')).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

test('a part goes back and then the rest, a lost answer refunds nothing twice, and the buyer is told', async ({
  page,
  gateway,
}) => {
  const { merchantId, owner } = await newShop(gateway, 'Refunds');
  const id = await paidInvoice(gateway, merchantId);
  await page.goto(`/dashboard/sandbox/invoices/${id}`);
  await signIn(page, owner.email, owner.password);
  await openForm(page);
  const amount = page.getByLabel('Amount, USD');
  await expect(amount).toHaveValue('15');
  await expect(amount).toBeFocused();
  await amount.fill('15.01');
  await button(page, 'Continue').click();
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAccessibleDescription('More than what is left: $15.00');
  await expectGood(page);
  await amount.fill('5');
  await page.getByLabel('Reason').fill('Filters out of stock');
  await button(page, 'Continue').click();
  await expect(page.getByRole('dialog', { name: 'Refund $5.00 to the buyer?' })).toBeVisible();
  await expectGood(page);

  await page.route('**/refunds.create*', lose, { times: 1 });
  await button(page, 'Refund $5.00').click();
  await expect(page.getByText('No response. Press again')).toBeVisible();
  await button(page, 'Refund $5.00').click();
  await expect(page.getByText('Refunded.', { exact: true })).toBeVisible();
  const refunds = page.getByRole('region', { name: 'Refunds' });
  await expect(refunds).toContainText('Left to refund$10.00');
  await expect(refunds.getByRole('listitem')).toHaveCount(1);
  await expect(refunds).toContainText('Filters out of stock');
  await expect(page.getByText('Refund of $5.00 requested')).toBeVisible();
  await expectGood(page);

  await openForm(page);
  await expect(amount).toHaveValue('10');
  await button(page, 'Continue').click();
  await button(page, 'Refund $10.00').click();
  await expect(refunds).toContainText('Left to refund$0.00');
  await expect(button(page, 'Refund')).toHaveCount(0);
  await page.goto('/dashboard/sandbox/invoices');
  await expect(page.getByText('Refunded: $15.00')).toBeVisible();
  await expectGood(page);
  await page.goto('/dashboard/sandbox');
  await expect(page.getByRole('link', { name: '−$15.00', exact: true }).first()).toBeVisible();

  await page.goto(`/pay/${id}?lang=en`);
  await expect(page.getByRole('heading', { name: 'Payment refunded' })).toBeVisible();
  await expect(page.getByText(/^\$15\.00 was refunded on /)).toBeVisible();
  await expectGood(page);
  await page.getByRole('link', { name: 'View confirmation' }).click();
  await expect(page.getByRole('row', { name: 'Paid after refunds $0.00' })).toBeVisible();
  await expect(page.getByText(/^\$5\.00, \d/)).toBeVisible();
  await expectGood(page);
});
