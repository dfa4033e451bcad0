import { expect } from '@playwright/test';
import { RESET_ACCOUNT_LIMIT } from '#server/auth/password-reset.ts';
import { openPool } from '#server/db/pool.ts';
import { setMember } from '#server/staff/members.ts';
import { createBody } from '#server/testing/rest.ts';
import { expectAccessible } from '../accessible.ts';
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

test('where a refused press shows that its form may be sent no more, the focus stays on the page', async ({
  page,
  gateway,
}) => {
  const { merchantId, owner } = await newShop(gateway, 'Lowered shop');
  await signInAt(page, owner, '/dashboard/sandbox/team');
  const send = page.getByRole('button', { name: 'Send invitation' });
  await expect(send).toBeVisible();
  await page.getByLabel('Email address').fill('kim@example.com');
  const pool = openPool(gateway.databaseUrl, 1);
  const { userId } = owner;
  await setMember(pool, { merchantId, userId, role: 'viewer', now: new Date() });
  await pool.end();
  await send.press('Enter');
  await expect(page.getByText('Your role does not allow this')).toBeVisible();
  await expect(send).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.goto('/dashboard/sandbox/developers/requests');
  await expect(page.getByText('Your role does not allow this')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Developers', exact: true }).click();
  await expect(page).toHaveURL(/\/developers$/);
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

  await page.goto('/dashboard/sandbox/invoices?q=ORD');
  await expect(page.getByText('Ids and amounts have to be complete')).toBeVisible();
});

test('a form whose action an update has taken away says so, and loads the new version', async ({
  page,
}) => {
  await page.goto('/dashboard/forgot-password', { waitUntil: 'networkidle' });
  await page.route('**/forgot-password', (route) => {
    const headers = { ...route.request().headers(), 'next-action': `60${'0'.repeat(40)}` };
    return route.request().method() === 'POST' ? route.continue({ headers }) : route.continue();
  });
  const address = page.getByLabel('Email address', { exact: true });
  await address.fill('owner@example.com');
  await address.press('Enter');
  await expect(page.getByRole('heading', { name: 'The gateway was updated' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Load the new version', exact: true }).click();
  await expect(address).toBeVisible();
});

test('whoever asks for too many e-mails reads so, with the address and the focus still there', async ({
  page,
}) => {
  const email = `asker-${crypto.randomUUID()}@example.com`;
  const address = page.getByLabel('Email address', { exact: true });
  const submit = page.getByRole('button', { name: 'Email me a link', exact: true });
  for (let asked = 0; asked < RESET_ACCOUNT_LIMIT.max; asked++) {
    await page.goto('/dashboard/forgot-password');
    await address.fill(email);
    await submit.click();
    await expect(page.getByRole('status')).toContainText('If there is an account');
  }
  await page.goto('/dashboard/forgot-password');
  await address.fill(email);
  await submit.click();
  await expect(page.getByRole('alert').getByText('Too many emails.')).toBeVisible();
  await expect(address).toHaveValue(email);
  await expect(submit).toBeFocused();
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
