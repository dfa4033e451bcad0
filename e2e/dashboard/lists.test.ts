import { expect, type Locator, type Page } from '@playwright/test';
import { createBody } from '#server/testing/rest.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { openAsOperator } from '../operator/as-operator.ts';
import { newShop, postTo } from './new-shop.ts';
import { expectGood } from './person.ts';
import { expectProgress } from './progress.ts';

// Each journey goes through several screens.
test.slow();

const LONG = 'Two tickets for the late show, a programme, and a seat for the coat';
// An invoice number begins like its neighbours.
const REFERENCE = 'order-of-november-2026-000417';
const PHONE = { width: 390, height: 844 };

/** Signs in at a new shop with a pending and a cancelled invoice, whose callback nobody accepts. */
async function openInvoices(page: Page, gateway: GatewayUnderTest): Promise<void> {
  const shop = await newShop(gateway, 'Shop of lists');
  await postTo(
    gateway,
    shop,
    '/invoice/create',
    createBody({ description: LONG, merchant_transaction_id: REFERENCE }),
  );
  const invoice_id = await postTo(gateway, shop, '/invoice/create', {
    ...createBody(),
    callback_url: 'http://127.0.0.1:9/callback',
  });
  await postTo(gateway, shop, '/invoice/cancel', { invoice_id });
  await page.goto('/dashboard/sandbox/invoices');
  await page.getByLabel('Email address').fill(shop.owner.email);
  await page.getByLabel('Password').fill(shop.owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible();
}

async function edges(place: Locator) {
  const { x, y, width, height } = (await place.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  return { left: x, top: y, right: x + width, bottom: y + height };
}

test('the invoices keep their places on a phone and are cut at no width', async ({
  page,
  gateway,
}) => {
  await openInvoices(page, gateway);
  const table = page.getByRole('region', { name: 'Invoices, newest first' });
  const referenceEnd = page.getByText(REFERENCE.slice(-6), { exact: true });
  const cell = page.getByRole('cell').filter({ has: referenceEnd });
  await expect(referenceEnd).toBeVisible();
  for (const width of [1280, 1024, 768, PHONE.width]) {
    await page.setViewportSize({ ...PHONE, width });
    const cut = await table.evaluate(
      (section) =>
        [section, ...section.querySelectorAll('div')].filter(
          (each) => each.scrollWidth > each.clientWidth,
        ).length,
    );
    expect(cut, `${width} px`).toBe(0);
    expect((await edges(referenceEnd)).right).toBeLessThanOrEqual((await edges(cell)).right);
  }
  const rows = table.locator('tbody tr');
  await expect(rows.first().getByText('Callback: waiting')).toBeVisible();
  for (const row of await rows.all()) {
    const amount = await edges(row.getByRole('link'));
    const date = await edges(row.locator('time'));
    expect(date.top).toBeGreaterThanOrEqual(amount.bottom);
  }
  // A long text has a line of its own, and is cut at its end.
  const text = await edges(rows.filter({ hasText: LONG }).getByText(LONG));
  const gap = (await edges(table)).right - text.right;
  expect(gap).toBeGreaterThan(0);
  expect(gap).toBeLessThan(24);

  // A press of the key ticks the row; what cannot be done to one of them is said before it is done.
  const first = rows.first().getByRole('link');
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await expect(async () => {
    await first.focus();
    await page.keyboard.press('x');
    await expect(bar).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(bar.getByText('2 selected')).toBeVisible();
  await expectGood(page);
  await page.setViewportSize(PHONE);
  await bar.getByRole('button', { name: 'Cancel 1', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel invoices' });
  await expect(dialog.getByText('1 selected invoice is not pending')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel invoices' }).click();
  await expect(page.getByText('Cancelled: 1')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(table.getByText('Pending', { exact: true })).toHaveCount(0);

  await expectProgress(page, () =>
    page.getByRole('link', { name: 'Callbacks', exact: true }).click(),
  );
  await expect(page).toHaveURL(/\/callbacks$/);
});

test('on a phone each cell of a list stands under the head that is read aloud for it', async ({
  page,
  gateway,
}) => {
  const expectWhole = async (address: string) => {
    await page.goto(address);
    const table = page.getByRole('table');
    await expect(table).toBeVisible();
    const heads = await table.getByRole('columnheader').count();
    const rows = await table.locator('tbody').getByRole('row').all();
    expect(rows.length, address).toBeGreaterThan(0);
    for (const row of rows) await expect(row.getByRole('cell')).toHaveCount(heads);
  };
  await page.setViewportSize(PHONE);
  await openInvoices(page, gateway);
  await expectWhole('/dashboard/sandbox/invoices');
  await expectWhole('/dashboard/sandbox/audit-log');
  await page.context().clearCookies();
  await openAsOperator(page, gateway, '/operator/merchants');
  await expectWhole('/operator/merchants?q=shop+of+lists');
});
