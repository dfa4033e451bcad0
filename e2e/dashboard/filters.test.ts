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

const pills = (page: Page) => page.getByRole('list', { name: 'Filters', exact: true });
const removals = (page: Page) => pills(page).getByRole('link', { name: 'Remove filter' });

test('a filter that is set is a pill with its value, and each is taken away by itself', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Chips');
  await signInAt(page, owner, '/dashboard/sandbox/invoices');
  await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible();
  for (const [list, query] of Object.entries(LISTS)) {
    await page.goto(`/dashboard/sandbox/${list}?${query}`);
    await expect(removals(page)).toHaveCount(2);
    await expectGood(page);
    await removals(page).first().click();
    await expect(page).toHaveURL((url) => url.search === `?${query.split('&')[1]}`);
    await expect(removals(page)).toHaveCount(1);
  }
  const columns = `columns=${encodeURIComponent('status,ends')}`;
  await page.goto(`/dashboard/sandbox/invoices?${LISTS.invoices}&q=4242&${columns}`);
  await expect(pills(page)).toHaveText(/Status: Pending.*Date: from 1 Jan 2026/);
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
  const open = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await open('Add filter: Status');
  await page.getByRole('dialog').getByRole('link', { name: 'Paid', exact: true }).click();
  await searchIs('?status=PAID');
  await expect(page.getByText('No matching invoices')).toBeVisible();
  // A form sends all its fields without its script.
  await expect(async () => {
    await page.goto('/dashboard/sandbox/invoices?status=PENDING');
    await open('Add filter: Amount');
    await page.getByLabel('Amount from').fill('1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL((url) => url.search === '?status=PENDING&min=1', {
      timeout: 1_000,
    });
  }).toPass();
  await expect(page.getByText('2 invoices', { exact: true })).toBeVisible();
  const head = page.getByRole('columnheader', { name: 'Card', exact: true });
  await expect(head).toBeVisible();
  await open('Columns');
  await page.getByRole('checkbox', { name: 'Card', exact: true }).uncheck();
  await expect(head).toHaveCount(0);
  await page.goto('/dashboard/sandbox/invoices');
  await expect(page.getByRole('columnheader', { name: 'Status', exact: true })).toBeVisible();
  await expect(head).toHaveCount(0);
  await page.goto('/dashboard/sandbox/callbacks?state=exhausted');
  await open('Add filter: Host');
  await page.getByRole('textbox', { name: 'Host', exact: true }).fill('shop.example');
  await page.getByRole('button', { name: 'Apply' }).click();
  await searchIs('?state=exhausted&host=shop.example');
});
