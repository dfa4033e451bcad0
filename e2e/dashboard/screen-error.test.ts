import { expect } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { LOCALE_COOKIE } from '#server/lib/locales.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { expectGood, signInAt } from './person.ts';

// Axe looks at whole screens.
test.slow();

test('a screen that fails says so as its heading, promises nothing, and loads once it can', async ({
  page,
  gateway,
}) => {
  const { owner, merchantId } = await newShop(gateway, 'Broken screen');
  const pool = openPool(gateway.databaseUrl, 1);
  const now = new Date();
  const times = { now, endDateMs: now.getTime() + 3_600_000 };
  const id = await createTestInvoice(pool, grantTenant(merchantId, 'sandbox'), times);
  const setAddress = (address: string) =>
    pool.query('UPDATE invoices SET callback_url = $2 WHERE id = $1', [id, address]);
  await setAddress('no address');
  await signInAt(page, owner, `/dashboard/sandbox/invoices/${id}`);
  const alert = page.getByRole('main').getByRole('alert');
  const heading = alert.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('This could not be loaded');
  await expect(alert).toContainText('Try again in a moment.');
  await expectGood(page);

  await page.context().addCookies([{ name: LOCALE_COOKIE, value: 'ru', url: gateway.origin }]);
  await page.reload();
  await expect(heading).toHaveText('Не удалось загрузить');
  await expect(alert).toContainText('Попробуйте ещё раз чуть позже.');
  await setAddress('http://localhost:9/callback');
  await pool.end();
  await alert.getByRole('button', { name: 'Ещё раз', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('15 $');
});
