import { expect } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { setMerchantStatus } from '#server/merchants/mutations.ts';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { expectGood, signInAt } from './person.ts';

const RESTS = 'Not available while this merchant is suspended.';

const SCREENS = [
  'callbacks/test',
  'settings',
  'invoices/new',
  'team',
  'payment-methods',
  'payment-methods/connect',
];

// Axe looks at whole screens in both themes.
test.slow();

test('the screens of a suspended merchant read on, take away, and say what rests', async ({
  page,
  gateway,
}) => {
  const { merchantId, owner } = await newShop(gateway, 'Suspended shop');
  await signInAt(page, owner, '/dashboard/sandbox/developers');
  const name = page.getByLabel('Name of a new token', { exact: true });
  await name.fill('Made too late');
  const pool = openPool(gateway.databaseUrl, 1);
  const actor = { type: 'operator', id: null, label: 'journeys' } as const;
  await setMerchantStatus(pool, { merchantId, status: 'suspended', actor, now: new Date() });
  await pool.end();

  await page.getByRole('button', { name: 'Create token', exact: true }).click();
  await expect(page.getByText('The merchant is suspended.')).toBeVisible();

  await page.reload();
  await expect(page.getByText('You can still view everything, cancel invoices and')).toBeVisible();
  await expect(page.getByText(RESTS)).toHaveCount(3);
  await expect(name).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Rotate/ })).toHaveCount(0);
  await expectGood(page);
  await page.getByRole('button', { name: /^Deactivate: / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('Token deactivated.').first()).toBeVisible();

  for (const screen of SCREENS) {
    await page.goto(`/dashboard/sandbox/${screen}`);
    await expect(page.getByText(RESTS)).toBeVisible();
    await expectGood(page);
  }
});
