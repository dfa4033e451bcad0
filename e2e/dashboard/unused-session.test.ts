import { expect, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { ownerAt } from './new-shop.ts';
import { expectGood, signIn } from './person.ts';

const LIST = '/dashboard/sandbox/invoices?status=PAID';

/** Sets the last use of all this person's sessions half a day back. */
async function leaveUnused({ databaseUrl }: GatewayUnderTest, userId: string): Promise<void> {
  const pool = openPool(databaseUrl, 1);
  await pool.query(
    `UPDATE sessions SET last_seen_at = last_seen_at - interval '12 hours' WHERE user_id = $1`,
    [userId],
  );
  await pool.end();
}

const isAtList = async (page: Page) => {
  await page.waitForURL(`**${LIST}`);
  await expect(page.getByRole('heading', { name: 'Invoices', level: 1 })).toBeVisible();
};

test('whoever comes back to a session that nobody used is told why it ended, and led back to where they were', async ({
  page,
  gateway,
}) => {
  const owner = await ownerAt(page, gateway, 'Long break', LIST);
  await isAtList(page);
  await leaveUnused(gateway, owner.userId);
  await page.reload();
  await expect(page.getByText('You were signed out after a long time without')).toBeVisible();
  await expectGood(page);
  await signIn(page, owner.email, owner.password);
  await isAtList(page);
  await leaveUnused(gateway, owner.userId);
  await page.goto(`${LIST}&lang=ru`);
  await expect(page.getByText('Вы долго ничего не делали, и сеанс завершился.')).toBeVisible();
});

test('what was typed before such a break is kept, and sent after a sign-in elsewhere', async ({
  page,
  context,
  gateway,
}) => {
  const owner = await ownerAt(page, gateway, 'Typed earlier', '/dashboard/sandbox/settings');
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Typed before');
  // The preview shows that the script is there.
  await expect(page.getByText('Typed before')).toHaveCount(2);
  await leaveUnused(gateway, owner.userId);
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(page.getByText('What you typed stays here.')).toHaveCount(1);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Sign in in a new tab' }).click();
  await signIn(await opened, owner.email, owner.password);
  await (await opened).waitForURL('**/dashboard/sandbox');
  await page.bringToFront();
  await expect(name).toHaveValue('Typed before');
  await save.click();
  await expect(page.getByText('Settings saved.').first()).toBeVisible();
});
