import { expect } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { findOrCreateUser, setMember } from '#server/staff/members.ts';
import { expectAccessible } from '../../accessible.ts';
import { test } from '../../fixtures.ts';
import type { GatewayUnderTest } from '../../gateway.ts';
import { newShop, postTo } from '../new-shop.ts';
import { signIn } from '../person.ts';

test.use({ viewport: { width: 390, height: 844 } });
// The journey has axe look at whole screens in both themes.
test.slow();

async function addCashier({ databaseUrl }: GatewayUnderTest, merchantId: string) {
  const pool = openPool(databaseUrl, 1);
  const person = {
    email: `cashier-${crypto.randomUUID().slice(0, 8)}@example.com`,
    password: 'correct horse battery',
    now: new Date(),
  };
  const { id: userId } = await findOrCreateUser(pool, person);
  await setMember(pool, { merchantId, userId, role: 'cashier', now: new Date() });
  await pool.end();
  return person;
}

test('a cashier signs in, types an amount and a title, shows the code, and sees it paid', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Counter');
  const { email, password } = await addCashier(gateway, shop.merchantId);
  await page.goto('/dashboard');
  await signIn(page, email, password);
  const navigation = page.getByRole('navigation', { name: 'Dashboard', exact: true });
  await expect(navigation.getByRole('link')).toHaveText([
    'New payment link',
    'Invoices',
    'Reusable links',
    'Your account',
  ]);
  const amount = page.getByLabel('Amount', { exact: true });
  await expect(amount).toHaveAttribute('inputmode', 'decimal');
  await expectAccessible(page);
  await page.getByLabel('Currency', { exact: true }).selectOption('UZS');
  await amount.fill('80 000');
  const title = page.getByLabel('What is it for?', { exact: true });
  await title.fill('Plov for two');
  await title.press('Enter');

  const show = page.getByRole('button', { name: 'Full screen', exact: true });
  await expect(show).toBeVisible();
  await expectAccessible(page);
  await show.click();
  const shown = page.getByRole('dialog', { name: /80.000/ });
  const code = shown.getByRole('img', { name: 'QR code of the payment page', exact: true });
  await expect(code).toHaveJSProperty('complete', true);
  await expectAccessible(page);
  const [, invoiceId = ''] = /(inv_\w+)/.exec(page.url()) ?? [];
  await postTo(gateway, shop, '/test/invoice/pay', { invoice_id: invoiceId });
  await expect(shown.getByText('Paid', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await shown.getByRole('button', { name: 'Close', exact: true }).click();
  const another = page.getByRole('link', { name: 'New link', exact: true });
  await expect(another).toBeFocused();
  await expectAccessible(page);
  await another.press('Enter');
  await expect(page.getByLabel('Currency', { exact: true })).toHaveValue('UZS');
});
