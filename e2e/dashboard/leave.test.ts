import { expect } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { findOrCreateUser, setMember } from '#server/staff/members.ts';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { expectGood, signInAt } from './person.ts';

test.slow();

test('a viewer leaves one team and comes to the other, then leaves that and stays signed in', async ({
  page,
  gateway,
}) => {
  const pool = openPool(gateway.databaseUrl, 1);
  const now = new Date();
  const email = `viewer-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const password = 'correct horse battery';
  const { id: userId } = await findOrCreateUser(pool, { email, password, now });
  for (const name of ['Second left', 'First left']) {
    const { merchantId } = await newShop(gateway, name);
    await setMember(pool, { merchantId, userId, role: 'viewer', now });
  }
  await pool.end();

  await signInAt(page, { email, password }, '/dashboard/sandbox/team');
  const leave = page.getByRole('button', { name: `Leave: ${email}` });
  const dialog = page.getByRole('dialog', { name: 'Leave the team?' });
  const confirm = async () => {
    await leave.click();
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
  };
  await expect(leave).toBeVisible();
  await expectGood(page);
  await leave.click();
  await dialog.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(dialog).toBeHidden();
  await confirm();
  await page.waitForURL('**/dashboard/sandbox');
  await page.goto('/dashboard/sandbox/team');
  await confirm();
  await expect(page.getByText('You are not on any merchant’s team')).toBeVisible();
});
