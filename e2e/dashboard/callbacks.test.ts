import { expect, type Page } from '@playwright/test';
import { inTransaction, openPool } from '#server/db/pool.ts';
import type { NewMerchant } from '#server/merchants/mutations.ts';
import { insertDue, notificationOf } from '#server/testing/callbacks.ts';
import { expectAccessible } from '../accessible.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { newShop, ownerAt } from './new-shop.ts';
import { signInAt } from './person.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

const ATTEMPTS = 250;

/** Signs in at a new shop with one callback that has failed finally after very many attempts. */
async function openCallbacks(page: Page, gateway: GatewayUnderTest): Promise<string> {
  const merchant = await newShop(gateway, 'Shop that was away');
  const [id = ''] = await insertFailed(gateway, merchant);
  await page.goto('/dashboard/sandbox/callbacks');
  await page.getByLabel('Email address').fill(merchant.owner.email);
  await page.getByLabel('Password').fill(merchant.owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Callbacks', exact: true })).toBeVisible();
  return id;
}

async function insertFailed(
  { databaseUrl }: GatewayUnderTest,
  { merchantId }: NewMerchant,
): Promise<string[]> {
  const pool = openPool(databaseUrl, 1);
  const at = new Date();
  // One transaction keeps the worker from seeing it due.
  const ids = await inTransaction(pool, async (db) => {
    const made = await insertDue(db, { merchantId, url: 'http://localhost:9/', at });
    await db.query(
      `UPDATE callbacks SET state = 'exhausted', attempt_count = $2, extra_attempts = $2 - 11
       WHERE invoice_id = ANY ($1)`,
      [made, ATTEMPTS],
    );
    await db.query(
      `INSERT INTO callback_attempts
         (callback_id, number, started_at, duration_ms, delivered, reason, trigger)
       SELECT id, n, $3, 1, false, 'connection refused', 'resend'
       FROM unnest($1::text[]) id, generate_series(1, $2::int) n`,
      [made.map(notificationOf), ATTEMPTS, at.toISOString()],
    );
    return made;
  });
  await pool.end();
  return ids;
}

test('the list says which attempt comes next and when, and that a resend is none of the schedule', async ({
  page,
  gateway,
}) => {
  const { merchantId, owner } = await newShop(gateway, 'Shop that is retried');
  const pool = openPool(gateway.databaseUrl, 1);
  const at = new Date();
  await inTransaction(pool, async (db) => {
    for (const trigger of ['schedule', 'resend']) {
      const ids = await insertDue(db, { merchantId, url: 'http://localhost:9/', at });
      await db.query(
        `UPDATE callbacks SET attempt_count = 3, next_trigger = $2,
           next_attempt_at = '2099-12-31T12:00:00Z' WHERE invoice_id = ANY ($1)`,
        [ids, trigger],
      );
    }
  });
  await pool.end();
  await signInAt(page, owner, '/dashboard/sandbox/callbacks');
  const list = page.getByRole('list', { name: 'Callbacks, newest first' });
  await expect(list.getByText(/Next scheduled attempt, 4 of 11: 31 Dec 2099/)).toBeVisible();
  await expect(
    list.getByText(/Manual resend, outside the schedule \(3 of 11 attempts made\): 31 Dec/),
  ).toBeVisible();
});

test('the key that searches opens the filters that hide the field', async ({ page, gateway }) => {
  await openCallbacks(page, gateway);
  const row = page.locator('[data-row]');
  await expect(row).toHaveCount(1);
  const host = page.getByRole('textbox', { name: 'Host', exact: true });
  await expect(host).toBeHidden();
  // A press has no effect before the script is there.
  await expect(async () => {
    await row.focus();
    await page.keyboard.press('/');
    await expect(host).toBeFocused({ timeout: 1_000 });
  }).toPass();
});

test('a callback that waits says where in its schedule it is, and when it goes on', async ({
  page,
  gateway,
}) => {
  const id = await openCallbacks(page, gateway);
  const pool = openPool(gateway.databaseUrl, 1);
  await pool.query(
    `UPDATE callbacks SET state = 'pending', attempt_count = 4, extra_attempts = 1,
       next_attempt_at = now() + interval '1 hour' WHERE invoice_id = $1`,
    [id],
  );
  await page.goto(`/dashboard/sandbox/callbacks/${id}`);
  const attempts = page.getByRole('region', { name: 'Attempts', exact: true });
  const saying = 'Next scheduled attempt, 4 of 11:';
  await expect(attempts.getByText(saying).locator('time')).toBeVisible();
  await page.goto(`/dashboard/sandbox/invoices/${id}`);
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary.getByText(saying).locator('time')).toBeVisible();
  await page.goBack();
  await pool.query(`UPDATE callbacks SET next_trigger = 'resend' WHERE invoice_id = $1`, [id]);
  await page.reload();
  await expect(
    attempts.getByText('Manual resend, outside the schedule (3 of 11 attempts made):'),
  ).toBeVisible();
  await pool.end();
});

test('a shop without callbacks learns what will come, and how to be ready', async ({
  page,
  gateway,
}) => {
  await ownerAt(page, gateway, 'Before the first', '/dashboard/sandbox/callbacks');
  const main = page.getByRole('main');
  await expect(main.getByText('No callbacks yet')).toBeVisible();
  await expect(main.getByRole('button')).toHaveCount(0);
  await expect(main.getByRole('link', { name: 'Documentation' })).toHaveAttribute(
    'href',
    '/docs/callbacks',
  );
  await expectAccessible(page);
  await main.getByRole('link', { name: 'Receive and verify a callback' }).click();
  await expect(page).toHaveURL(/developers#verify$/);
  await page.goBack();
  await main.getByRole('link', { name: 'Test an endpoint' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Test an endpoint');
});
