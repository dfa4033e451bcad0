import { expect } from '@playwright/test';
import { createBody } from '#server/testing/rest.ts';
import { test } from '../fixtures.ts';
import { newShop, postTo } from './new-shop.ts';
import { signIn } from './person.ts';

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
  await page.goto(`/dashboard/sandbox/invoices/${id}`);
  await signIn(page, shop.owner.email, shop.owner.password);
  const cancel = page.getByRole('button', { name: 'Cancel invoice' });
  await expect(cancel).toBeInViewport({ ratio: 1 });
  const text = page.getByText(description.trim());
  const isCut = () =>
    text.evaluate(({ parentElement: p }) => (p?.scrollHeight ?? 0) > (p?.clientHeight ?? 0));
  expect(await isCut()).toBe(true);
  await page.getByText('Whole description').click();
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
  await page.goto('/dashboard/sandbox/invoices');
  await signIn(page, shop.owner.email, shop.owner.password);
  const drawn = page.getByText(ARABIC, { exact: true });
  await expect(drawn).toHaveCount(1);
  await expect(drawn).toHaveCSS('direction', 'rtl');
  await page.goto(`/dashboard/sandbox/invoices/${id}`);
  await expect(drawn).toHaveCount(2);
  for (const each of await drawn.all()) await expect(each).toHaveCSS('direction', 'rtl');
});
