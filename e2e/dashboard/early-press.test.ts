import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { holdScripts } from './hold-scripts.ts';
import { newShop } from './new-shop.ts';
import { signIn } from './person.ts';

test('a button that is pressed before the script is there does it once it is, and once', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Early press');
  await page.goto('/dashboard/sandbox/account');
  await signIn(page, owner.email, owner.password);
  await expect(page.getByText('This session')).toBeVisible();

  let release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  const field = page.getByLabel('Current password');
  for (let press = 0; press < 3; press++) {
    await page.getByRole('button', { name: 'Show what is typed' }).first().click();
  }
  await expect(field).toHaveAttribute('type', 'password');
  release();
  await expect(field).toHaveAttribute('type', 'text');
  await page.waitForLoadState('networkidle');
  await expect(field).toHaveAttribute('type', 'text');
  // With the script there, a press is one press.
  await page.getByRole('button', { name: 'Hide what is typed' }).first().click();
  await expect(field).toHaveAttribute('type', 'password');

  release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  release();
  await expect(page).toHaveURL(/\/dashboard\/sign-in$/);
});
