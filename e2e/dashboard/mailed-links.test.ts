import { expect, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { LOCALE_COOKIE } from '#server/lib/locales.ts';
import { recordAudit } from '#server/merchants/audit.ts';
import { createBody } from '#server/testing/rest.ts';
import { expectAccessible } from '../accessible.ts';
import { test } from '../fixtures.ts';
import { newShop, postTo, twoShops } from './new-shop.ts';
import { signIn } from './person.ts';

// Axe looks at whole screens in both themes.
test.slow();

const titleOf = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

test('a link to an invoice of another merchant or environment leads there by one press', async ({
  page,
  gateway,
}) => {
  const { first, second } = await twoShops(gateway, 'Shop A', 'Shop B');
  const id = await postTo(gateway, second, '/invoice/create', createBody());
  await page.goto(`/dashboard/production/invoices/${id}`);
  await signIn(page, first.owner.email, first.owner.password);
  await expect(titleOf(page, 'This invoice is in another place')).toBeVisible();
  await expect(page.getByText('It is in the sandbox of Shop B.')).toBeVisible();
  await expectAccessible(page);
  await page.context().addCookies([{ name: LOCALE_COOKIE, value: 'ru', url: gateway.origin }]);
  await page.reload();
  await expect(titleOf(page, 'Этот счёт в другом магазине или среде')).toBeVisible();
  await page.context().clearCookies({ name: LOCALE_COOKIE });
  await page.reload();

  await page.getByRole('button', { name: 'Open it there' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/sandbox/invoices/${id}$`));
  await expect(page.getByRole('button', { name: 'Account menu: Shop B' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();

  // Now the session belongs to the same merchant, and the way is a link.
  await page.goto(`/dashboard/production/invoices/${id}`);
  await page.getByRole('link', { name: 'Open it there' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/sandbox/invoices/${id}$`));

  // The invoice has no callback yet, then it has one.
  await page.goto(`/dashboard/production/callbacks/${id}`);
  await expect(titleOf(page, 'Callback not found')).toBeVisible();
  await postTo(gateway, second, '/invoice/cancel', { invoice_id: id });
  await page.reload();
  await expect(titleOf(page, 'This callback is in another place')).toBeVisible();
  await page.getByRole('link', { name: 'Open it there' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/sandbox/callbacks/${id}$`));
});

test('of a stranger’s invoice nothing is told', async ({ page, gateway }) => {
  const shop = await newShop(gateway, 'Curious');
  const stranger = await newShop(gateway, 'Stranger');
  const id = await postTo(gateway, stranger, '/invoice/create', createBody());
  await page.goto(`/dashboard/sandbox/invoices/${id}`);
  await signIn(page, shop.owner.email, shop.owner.password);
  await expect(titleOf(page, 'Invoice not found')).toBeVisible();
  await expect(page.getByText('Stranger')).toHaveCount(0);
  await expect(page.getByText('Open it there')).toHaveCount(0);
});

test('an entry of the audit log leads to what it is about', async ({ page, gateway }) => {
  const shop = await newShop(gateway, 'Audited');
  const id = await postTo(gateway, shop, '/invoice/create', createBody());
  await postTo(gateway, shop, '/invoice/cancel', { invoice_id: id });
  const pool = openPool(gateway.databaseUrl, 1);
  const entry = {
    actor: { type: 'staff', id: shop.owner.userId, label: shop.owner.email },
    merchantId: shop.merchantId,
    environment: 'sandbox',
    target: { type: 'invoice', id },
    now: new Date(),
  } as const;
  for (const action of ['invoice.cancel', 'callback.resend']) {
    await recordAudit(pool, { ...entry, action });
  }
  await recordAudit(pool, {
    ...entry,
    action: 'member.remove',
    target: { type: 'user', id: 'somebody' },
    details: { email: 'gone@example.com' },
  });
  await pool.end();
  await page.goto('/dashboard/sandbox/audit-log');
  await signIn(page, shop.owner.email, shop.owner.password);
  const linkIn = (name: string) =>
    page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: id });
  await linkIn('Resent a callback').click();
  await expect(page).toHaveURL(new RegExp(`/sandbox/callbacks/${id}$`));
  await page.goBack();
  await page
    .getByRole('row', { name: /Removed gone@example.com/ })
    .getByRole('link', { name: 'Team', exact: true })
    .click();
  await expect(page).toHaveURL(/\/sandbox\/team$/);
  await page.goBack();
  await linkIn('Cancelled an invoice').click();
  await expect(page).toHaveURL(new RegExp(`/sandbox/invoices/${id}$`));
  const addresses = page.getByRole('region', { name: 'Addresses' });
  await expect(addresses.getByRole('button', { name: 'Copy address' })).toHaveCount(3);
});
