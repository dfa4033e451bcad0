import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { linkFor, signInAt } from './person.ts';

test.slow();

test('who has an account joins another team by one press', async ({ page, browser, gateway }) => {
  const [inviting, invited] = [
    await newShop(gateway, 'Inviting journey'),
    await newShop(gateway, 'Invited journey'),
  ];
  await signInAt(page, inviting.owner, '/dashboard/sandbox/team');
  const withdraw = page.getByRole('button', { name: `Withdraw: ${invited.owner.email}` });
  // A press has no effect before the script is there.
  await expect(async () => {
    await page.getByLabel('Email address').fill(invited.owner.email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await expect(withdraw).toBeVisible({ timeout: 3_000 });
  }).toPass();

  const context = await browser.newContext({ baseURL: gateway.origin, javaScriptEnabled: false });
  const other = await context.newPage();
  const link = await linkFor(gateway, invited.owner.email);
  await other.goto(link);
  await expect(other.getByText(`Invited by ${inviting.owner.email}`)).toBeVisible();
  await expect(other.getByText('Can see everything about invoices')).toBeVisible();
  await other.getByRole('button', { name: 'Join' }).click();
  await expect(other.getByText('You have joined the team.')).toBeVisible();
  await expect(other.getByLabel('Email address')).toHaveValue(invited.owner.email);
  await context.close();
});
