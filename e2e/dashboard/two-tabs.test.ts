import { expect, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { expectAccessible } from '../accessible.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { twoShops } from './new-shop.ts';
import { signInAt } from './person.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

/** The number of tokens and invitations of the second shop. */
async function countMade(
  { databaseUrl }: GatewayUnderTest,
  merchantId: string,
): Promise<{ tokens: number; invitations: number }> {
  const pool = openPool(databaseUrl, 1);
  const { rows } = await pool.query<{ tokens: number; invitations: number }>(
    `SELECT (SELECT count(*)::int FROM api_tokens WHERE merchant_id = $1) AS tokens,
            (SELECT count(*)::int FROM invitations WHERE merchant_id = $1) AS invitations`,
    [merchantId],
  );
  await pool.end();
  return rows[0] ?? { tokens: -1, invitations: -1 };
}

const menuOf = (page: Page, name: string) =>
  page.getByRole('button', { name: `Account menu: ${name}` });

test('a press in a tab that still shows another merchant does nothing there, and says so', async ({
  page,
  context,
  gateway,
}) => {
  const { first, second } = await twoShops(gateway, 'First shop', 'Second shop');
  await signInAt(page, first.owner, '/dashboard/sandbox/developers');
  await expect(menuOf(page, 'First shop')).toBeVisible();
  const team = await context.newPage();
  await team.goto('/dashboard/sandbox/team');
  const list = await context.newPage();
  await list.goto('/dashboard/sandbox/invoices');
  const before = await countMade(gateway, second.merchantId);

  const other = await context.newPage();
  await other.goto('/dashboard/sandbox');
  await menuOf(other, 'First shop').click();
  await other.getByRole('button', { name: 'Second shop', exact: true }).click();
  await expect(menuOf(other, 'Second shop')).toBeVisible();

  await page.bringToFront();
  await page.getByLabel('Name of a new token').fill('Pressed');
  await page.getByRole('button', { name: 'Create token' }).click();
  const again = page.getByRole('button', { name: 'Reload', exact: true });
  await expect(again).toHaveCount(1);
  await expect(page.getByText('This page shows another merchant.').first()).toBeVisible();
  await expectAccessible(page);

  await team.bringToFront();
  await team.getByLabel('Email address').fill('pressed@example.com');
  await team.getByRole('button', { name: 'Send invitation' }).click();
  await expect(team.getByText('This page shows another merchant. Reload it.')).toHaveCount(1);
  await expect(menuOf(team, 'First shop')).toBeVisible();

  await list.bringToFront();
  await list.getByRole('button', { name: 'Export', exact: false }).click();
  await list.getByRole('button', { name: 'Download' }).click();
  await expect(list.getByText('shows another merchant. Go back and reload it.')).toBeVisible();

  expect(await countMade(gateway, second.merchantId)).toEqual(before);
  await page.bringToFront();
  await again.click();
  await expect(menuOf(page, 'Second shop')).toBeVisible();
  await page.getByLabel('Name of a new token').fill('Pressed');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText(/^gw_sandbox_\w{43}$/)).toBeVisible();
});
