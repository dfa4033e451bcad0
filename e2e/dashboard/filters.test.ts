import { expect, type Page } from '@playwright/test';
import { createBody } from '#server/testing/rest.ts';
import { test } from '../fixtures.ts';
import { newShop, postTo } from './new-shop.ts';
import { expectGood, signInAt } from './person.ts';

test.slow();

const LISTS = {
  invoices: 'status=PENDING&from=2026-01-01',
  callbacks: 'host=shop.example&answer=5',
  'developers/requests': 'outcome=failed&endpoint=%2Finvoice%2Fcreate',
  'audit-log': 'action=session.sign_in&from=2026-01-01',
};

const fold = (page: Page) => page.getByText('Filters', { exact: true });
const chips = (page: Page) => page.getByRole('list', { name: 'Filters that are set' });

test('filters that are set stand as links beside their fold, and each link takes its own away', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Chips');
  await signInAt(page, owner, '/dashboard/sandbox/invoices');
  await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible();
  for (const [list, query] of Object.entries(LISTS)) {
    await page.goto(`/dashboard/sandbox/${list}?${query}`);
    await expect(chips(page).getByRole('link')).toHaveCount(2);
    await expect(page.locator('main details[open]')).toHaveCount(0);
    await expectGood(page);
    await chips(page).getByRole('link').first().click();
    await expect(page).toHaveURL((url) => url.search === `?${query.split('&')[1]}`);
    await expect(chips(page).getByRole('link')).toHaveCount(1);
  }
  const columns = `columns=${encodeURIComponent('status,ends')}`;
  await page.goto(`/dashboard/sandbox/invoices?${LISTS.invoices}&q=4242&${columns}`);
  await expect(chips(page)).toHaveText(/Status: Pending.*From: 1 Jan 2026/);
  // Both links, beside the filters and in the empty list, keep the parameters that are not filters.
  for (const link of [0, 1]) {
    await page.getByRole('link', { name: 'Clear all', exact: true }).nth(link).click();
    await expect(page).toHaveURL((url) => url.search === `?${columns}`);
    await page.goBack();
  }
});

test('the address of a list says only what it is narrowed by', async ({ page, gateway }) => {
  const shop = await newShop(gateway, 'Short addresses');
  for (let made = 0; made < 2; made++) await postTo(gateway, shop, '/invoice/create', createBody());
  await signInAt(page, shop.owner, '/dashboard/sandbox/invoices');
  await expect(page.getByText('2 invoices', { exact: true })).toBeVisible();
  const searchIs = (search: string) => expect(page).toHaveURL((url) => url.search === search);
  // A form sends all its fields without its script.
  await expect(async () => {
    await fold(page).click();
    await page.locator('#status').selectOption('PAID');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL((url) => url.search === '?status=PAID', { timeout: 1_000 });
  }).toPass();
  await expect(page.getByText('No invoice matches')).toBeVisible();
  await fold(page).click();
  await page.locator('#status').selectOption('');
  await page.getByRole('checkbox', { name: 'Card', exact: true }).uncheck();
  await page.getByRole('button', { name: 'Apply' }).click();
  await searchIs(
    `?columns=${encodeURIComponent('status,description,transaction,callback,created')}`,
  );
  await expect(page.getByText('2 invoices', { exact: true })).toBeVisible();
  await page.goto('/dashboard/sandbox/callbacks?state=exhausted');
  await fold(page).click();
  await page.getByLabel('Host', { exact: true }).fill('shop.example');
  await page.getByRole('button', { name: 'Apply' }).click();
  await searchIs('?state=exhausted&host=shop.example');
});
