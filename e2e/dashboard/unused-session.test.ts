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
  await expect(page.getByText('You were signed out because of inactivity')).toBeVisible();
  await expectGood(page);
  await signIn(page, owner.email, owner.password);
  await isAtList(page);
  await leaveUnused(gateway, owner.userId);
  await page.goto(`${LIST}&lang=ru`);
  await expect(page.getByText('Сеанс завершён из-за неактивности.')).toBeVisible();
});
