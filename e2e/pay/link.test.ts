import { openPool } from '#server/db/pool.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { createTestLink } from '#server/testing/links.ts';
import { expectAccessible } from '../accessible.ts';
import { newShop } from '../dashboard/new-shop.ts';
import { gatewayUnderTest } from '../gateway.ts';
import { CARDS, expect, payWith, test } from './shop.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('a buyer opens a link, is told the bounds, types an amount and pays', async ({ page }) => {
  const gateway = gatewayUnderTest();
  const { merchantId } = await newShop(gateway, 'Counter');
  const pool = openPool(gateway.databaseUrl, 1);
  const { code } = await createTestLink(pool, grantTenant(merchantId, 'sandbox'), {
    now: new Date(),
    title: 'Donation',
    currency: 'USD',
    price: { leastMinor: 100n, greatestMinor: 50_000n },
    asksNote: 'optional',
  });
  await pool.end();
  await page.goto(`/link/${code}`);
  const amount = page.getByLabel('Amount, USD', { exact: true });
  await amount.fill('0.99');
  await page.getByLabel('Note (optional)', { exact: true }).fill('For the cats');
  const submit = page.getByRole('button', { name: 'Continue to payment', exact: true });
  await submit.click();
  await expect(amount).toHaveAccessibleDescription(/at least \$1\.00/);
  await expect(amount).toHaveValue('0.99');
  await expectAccessible(page);
  await amount.fill('15');
  await submit.click();
  await payWith(page, CARDS.approved);
  await expect(page.getByText('You paid $15.00')).toBeVisible();
});
