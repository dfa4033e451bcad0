import { expect } from '@playwright/test';
import { inTransaction, openPool } from '#server/db/pool.ts';
import { insertDue, notificationOf } from '#server/testing/callbacks.ts';
import { createBody } from '#server/testing/rest.ts';
import { test } from '../fixtures.ts';
import { newShop, postTo } from './new-shop.ts';
import { signInAt } from './person.ts';

const ARABIC = 'كتاب TypeScript 3 (الطبعة الثانية) 12';

test('a description of 1,024 signs leaves the buttons on a phone’s screen, and unfolds', async ({
  page,
  gateway,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const shop = await newShop(gateway, 'Shop of many words');
  const description = 'Subscription for a year of service, delivery to the door. '
    .repeat(20)
    .slice(0, 1_024);
  const id = await postTo(gateway, shop, '/invoice/create', createBody({ description }));
  await signInAt(page, shop.owner, `/dashboard/sandbox/invoices/${id}`);
  const cancel = page.getByRole('button', { name: 'Cancel invoice' });
  await expect(cancel).toBeInViewport({ ratio: 1 });
  const text = page.getByText(description.trim());
  const isCut = () =>
    text.evaluate(({ parentElement: p }) => (p?.scrollHeight ?? 0) > (p?.clientHeight ?? 0));
  expect(await isCut()).toBe(true);
  await page.getByText('Full description').click();
  expect(await isCut()).toBe(false);
  await expect(cancel).not.toBeInViewport();
});

test('what a shop wrote from right to left is drawn so: its number stands at its end', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Arabic shop');
  const positions = [{ title: ARABIC, amount: 1500, currency: 'USD' }];
  const body = createBody({ description: ARABIC, positions });
  const id = await postTo(gateway, shop, '/invoice/create', body);
  await signInAt(page, shop.owner, '/dashboard/sandbox/invoices');
  const drawn = page.getByText(ARABIC, { exact: true });
  await expect(drawn).toHaveCount(1);
  await expect(drawn).toHaveCSS('direction', 'rtl');
  await page.goto(`/dashboard/sandbox/invoices/${id}`);
  await expect(drawn).toHaveCount(2);
  for (const each of await drawn.all()) await expect(each).toHaveCSS('direction', 'rtl');
});

test('a server’s whole error page leaves the attempts before it on a phone’s screen', async ({
  page,
  gateway,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { merchantId, owner } = await newShop(gateway, 'Shop of error pages');
  const answer = '<p>Fatal error: Uncaught TypeError</p>'.repeat(50);
  const pool = openPool(gateway.databaseUrl, 1);
  const at = new Date();
  // One transaction keeps the worker from seeing it due.
  const [id = ''] = await inTransaction(pool, async (db) => {
    const made = await insertDue(db, { merchantId, url: 'http://localhost:9/', at });
    await db.query(
      `UPDATE callbacks SET state = 'exhausted', attempt_count = 11 WHERE invoice_id = ANY ($1)`,
      [made],
    );
    await db.query(
      `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, http_status,
         delivered, reason, answer, trigger)
       VALUES ($1, 1, $2, 1, 500, false, 'answered 500, not 200', $3, 'schedule')`,
      [notificationOf(made[0] ?? ''), at.toISOString(), Buffer.from(answer)],
    );
    return made;
  });
  await pool.end();
  await signInAt(page, owner, `/dashboard/sandbox/callbacks/${id}`);
  const field = page.getByLabel('Response', { exact: true });
  await expect(field).toHaveValue(answer);
  await expect.poll(async () => (await field.boundingBox())?.height).toBeLessThan(300);
});
