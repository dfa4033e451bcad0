import { expect } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { createBody } from '#server/testing/rest.ts';
import { test } from '../fixtures.ts';
import { newShop, postTo } from './new-shop.ts';
import { signInAt } from './person.ts';

test('what was paid meanwhile cannot be cancelled, and the page shows the payment', async ({
  page,
  gateway,
}) => {
  const merchant = await newShop(gateway, 'Slow shop');
  const invoice_id = await postTo(gateway, merchant, '/invoice/create', createBody());
  await signInAt(page, merchant.owner, `/dashboard/sandbox/invoices/${invoice_id}`);
  const cancel = page.getByRole('button', { name: 'Cancel invoice', exact: true });
  const dialog = page.getByRole('dialog');
  // A press has no effect before the script is there.
  await expect(async () => {
    await cancel.click();
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await postTo(gateway, merchant, '/test/invoice/pay', { invoice_id });
  await dialog.getByRole('button', { name: 'Cancel invoice', exact: true }).click();
  await expect(page.getByText('it is already PAID')).toBeVisible();
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible();
  await expect(cancel).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Share', exact: true })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('whoever waits sees the first invoice come and be paid without a reload @waits', async ({
  page,
  gateway,
}) => {
  const merchant = await newShop(gateway, 'Waiting shop');
  await signInAt(page, merchant.owner, '/dashboard/sandbox/invoices');
  await expect(page.getByText('No invoices yet')).toBeVisible();
  const invoice_id = await postTo(gateway, merchant, '/invoice/create', createBody());
  const row = page.locator('[data-row]');
  await expect(row).toHaveCount(1, { timeout: 20_000 });
  await row.click();
  const badge = page.locator('header').getByText('Pending', { exact: true });
  await expect(badge).toBeVisible();
  await postTo(gateway, merchant, '/test/invoice/pay', { invoice_id });
  await expect(page.locator('header').getByText('Paid', { exact: true })).toBeVisible({
    timeout: 20_000,
  });
  await expect(badge).toHaveCount(0);
  // The buyer's receipt shows the same.
  await expect(page.getByText(/^Payment reference sbx_\w+$/)).toBeVisible();

  await page.goto('/dashboard/sandbox/invoices?q=nowhere');
  await expect(page.getByText('Words need at least three characters')).toBeVisible();
});

test('an action is carried out for the page that has it, and for no other', async ({
  page,
  request,
  gateway,
  baseURL,
}) => {
  const { owner } = await newShop(gateway, 'Other page');
  await page.goto('/dashboard/forgot-password');
  const { id } = JSON.parse(await page.locator('input[name$=":0"]').inputValue());
  const pool = openPool(gateway.databaseUrl, 1);
  const call = new FormData();
  call.set('_1_email', owner.email);
  call.set('0', '[null,"$K1"]');
  const emailsAfter = async (path: string) => {
    const headers = { Origin: String(baseURL), 'Next-Action': id };
    await request.post(path, { headers, multipart: call });
    const text = 'SELECT token_hash FROM password_resets WHERE user_id = $1';
    return (await pool.query(text, [owner.userId])).rows.length;
  };
  expect(await emailsAfter('/dashboard/sign-in')).toBe(0);
  expect(await emailsAfter('/dashboard/forgot-password')).toBe(1);
  await pool.end();
});
