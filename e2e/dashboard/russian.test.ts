import { expect, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { LOCALE_COOKIE } from '#server/lib/locales.ts';
import { recordAudit } from '#server/merchants/audit.ts';
import type { OpenedMerchant } from '#server/testing/merchants.ts';
import { createBody } from '#server/testing/rest.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { newShop } from './new-shop.ts';
import { signInAt } from './person.ts';

// Each journey goes through several screens.
test.slow();

/** Makes an invoice whose callback nobody accepts. */
async function order(
  { origin }: GatewayUnderTest,
  shop: OpenedMerchant,
  amount = 1500,
): Promise<string> {
  const answer = await fetch(`${origin}/api/sandbox/invoice/create`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${shop.sandbox.apiToken}`,
      'X-Merchant': shop.merchantId,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(
      createBody({
        amount,
        positions: [{ title: 'Ticket', amount, currency: 'USD' }],
        callback_url: 'http://localhost:9/callback',
      }),
    ),
  });
  return ((await answer.json()) as { data: { invoice_id: string } }).data.invoice_id;
}

async function openInRussian(
  page: Page,
  { origin }: GatewayUnderTest,
  { owner }: OpenedMerchant,
  path: string,
): Promise<void> {
  await signInAt(page, owner, path);
  await expect(page).toHaveURL((url) => url.pathname === path);
  await page.context().addCookies([{ name: LOCALE_COOKIE, value: 'ru', url: origin }]);
  await page.reload();
}

test('an invoice’s story has addresses as they are written, and times with a Russian unit', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Story in Russian');
  const id = await order(gateway, shop);
  await openInRussian(page, gateway, shop, `/dashboard/sandbox/invoices/${id}`);
  const dialog = page.getByRole('dialog');
  const cancel = { name: 'Отменить счёт', exact: true };
  // A press has no effect before the script is there.
  await expect(async () => {
    await page.getByRole('button', cancel).click();
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await dialog.getByRole('button', cancel).click();
  const cancelled = page.getByRole('listitem').filter({ hasText: shop.owner.email });
  await expect(cancelled).toHaveCount(1);
  const shown = await cancelled.evaluate((item) => (item as HTMLElement).innerText);
  expect(shown).toContain(`— ${shop.owner.email}`);

  const time = page.getByText(/\d\sмс(?![а-я])/).first();
  await expect(async () => {
    await page.reload();
    await expect(time).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.goto(`/dashboard/sandbox/callbacks/${id}`);
  await expect(time).toBeVisible();
});

test('a gateway command and a sandbox token are named in Russian, whoever reads of them', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Actors in Russian');
  const id = await order(gateway, shop);
  const pool = openPool(gateway.databaseUrl, 1);
  const command = { type: 'operator', id: null, label: 'gateway command' } as const;
  const token = { type: 'test', id: 'tok_journey', label: 'sandbox token' } as const;
  for (const actor of [command, token]) {
    await recordAudit(pool, {
      actor,
      merchantId: shop.merchantId,
      environment: 'sandbox',
      action: 'callback.resend',
      target: { type: 'invoice', id },
      now: new Date(),
    });
  }
  await pool.end();
  const main = page.getByRole('main');
  await openInRussian(page, gateway, shop, `/dashboard/sandbox/invoices/${id}`);
  await expect(main).toContainText('— Команда gateway (консоль)');
  await expect(main).toContainText('— Токен песочницы');
  await page.goto('/dashboard/sandbox/audit-log');
  for (const name of ['Команда gateway (консоль)', 'Токен песочницы']) {
    await expect(page.getByRole('cell', { name })).toBeVisible();
  }
  await expect(main).not.toContainText(/gateway command|sandbox token/);
});

test('names stand in Russian quotation marks; no large amount is cut on a phone', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Quotes in Russian');
  await order(gateway, shop, 99_999_999_900);
  await openInRussian(page, gateway, shop, '/dashboard/sandbox/developers');
  const lifetime = page.getByLabel('Срок действия', { exact: true });
  await expect(lifetime).toContainText('30 дней');
  const name = '«First token»';
  for (const action of ['Сменить', 'Отключить']) {
    await page.getByRole('button', { name: `${action}: First token`, exact: true }).click();
    await expect(page.getByRole('dialog', { name: `${action} токен ${name}` })).toBeVisible();
    await page.keyboard.press('Escape');
  }

  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto('/dashboard/sandbox/developers/requests');
  const request = page.getByRole('listitem').filter({ hasText: `Токен ${name}` });
  await expect(async () => {
    await page.reload();
    await expect(request).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await expect(request).toContainText('/invoice/create');
  await expect(request).toContainText(/\d\sмс/);
  await page.goto('/dashboard/sandbox/invoices');
  const rows = page.getByRole('table').locator('..');
  await expect(rows.getByText('999 999 999 $')).toBeVisible();
  expect(await rows.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
});
