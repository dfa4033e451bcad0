import { expect, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { addOperator } from '#server/operating/operators.ts';
import { test } from '../fixtures.ts';
import { invitationBy } from './invitation-by.ts';
import { newShop } from './new-shop.ts';
import { expectGood, linkFor, signIn, signInAt } from './person.ts';

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
  await expect(other.getByText('Reads everything about invoices')).toBeVisible();
  await other.getByRole('button', { name: 'Join' }).click();
  await expect(other.getByText('You have joined the team.')).toBeVisible();
  await expect(other.getByLabel('Email address')).toHaveValue(invited.owner.email);
  await context.close();
});

test('who joins twice from pages that were open at once is told that the second password was not set', async ({
  page,
  gateway,
}) => {
  const email = `twice-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const [first, second] = [
    await newShop(gateway, 'First shop'),
    await newShop(gateway, 'Second shop'),
  ];
  const other = await page.context().newPage();
  await page.goto(await invitationBy(gateway, first, email));
  await other.goto(await invitationBy(gateway, second, email));
  const join = async (by: Page, password: string) => {
    await by.getByLabel('New password').fill(password);
    await by.getByRole('button', { name: 'Join' }).click();
  };
  await join(page, 'correct horse battery');
  await expect(page.getByText('You have joined the team. Sign in to continue.')).toBeVisible();
  await join(other, 'another horse battery');
  await expect(other.getByText('just chosen was not set')).toBeVisible();
  await signIn(other, email, 'correct horse battery');
  await other.getByRole('button', { name: /^Account menu/ }).click();
  for (const name of ['First shop', 'Second shop']) {
    await expect(other.getByText(name).last()).toBeVisible();
  }
});

test('an operator who has not come yet sets their password where they join a team', async ({
  page,
  gateway,
}) => {
  const email = `not-come-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const pool = openPool(gateway.databaseUrl, 1);
  const actor = { type: 'operator', id: null, label: 'journeys' } as const;
  await addOperator(pool, { email, actor, now: new Date() });
  await pool.end();
  const shop = await newShop(gateway, 'Joined by an operator');
  await page.goto(await invitationBy(gateway, shop, email));
  await expectGood(page);
  await page.getByLabel('New password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByText('You have joined the team. Sign in to continue.')).toBeVisible();
  await signIn(page, email, 'correct horse battery');
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible();
});
