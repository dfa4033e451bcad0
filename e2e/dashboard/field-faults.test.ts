import { expect, type Locator, type Page, type Route } from '@playwright/test';
import { test } from '../fixtures.ts';
import { ownerAt } from './new-shop.ts';
import { expectGood } from './person.ts';

test.slow();

const NEEDED = 'Fill in this field';

/** Presses, and expects the fault at the field in place of the browser's own bubble. */
async function expectFault(press: Locator, field: Locator, fault: string): Promise<void> {
  // The browser shows its own message before the script is there.
  await expect(async () => {
    await press.click();
    await expect(field).toHaveAccessibleDescription(new RegExp(fault), { timeout: 1_000 });
  }).toPass();
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('what is over does not come back while the next attempt is under way', async ({ page }) => {
  const posted: Route[] = [];
  await page.route('**/forgot-password', (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    posted.push(route);
  });
  await page.goto('/dashboard/forgot-password');
  const address = page.getByLabel('Email address');
  const send = button(page, 'Email me a link');
  const told = page.getByText('The gateway could not be reached. Try again.');
  const post = async () => {
    await address.fill('nobody@example.com');
    await send.click();
    await expect(send).toHaveAttribute('aria-disabled', 'true');
  };
  const lose = async () => {
    await expect.poll(() => posted.length).toBe(1);
    await posted.pop()?.abort();
    await expect(told).toBeVisible();
  };
  await expectFault(send, address, NEEDED);
  await post();
  await lose();
  await address.fill('');
  await expectFault(send, address, NEEDED);
  await expect(told).toHaveCount(0);
  await post();
  expect(await told.count()).toBe(0);
  await lose();
});

test('and so do the forms of the dashboard, also for what is folded away', async ({
  page,
  gateway,
}) => {
  const base = '/dashboard/sandbox';
  await ownerAt(page, gateway, 'Own faults', `${base}/developers`);
  const name = page.getByLabel('Name of a new token');
  await expectFault(button(page, 'Create token'), name, NEEDED);
  await expectGood(page);
  await page.goto(`${base}/settings`);
  const shown = page.getByLabel('Name', { exact: false }).first();
  await shown.fill('');
  await expectFault(button(page, 'Save'), shown, NEEDED);
  await page.goto(`${base}/invoices`);
  await button(page, 'Add filter: Amount').click();
  await page.locator('#min').fill('much');
  await page.keyboard.press('Escape');
  await expectFault(button(page, 'Search'), page.locator('#min'), 'Enter an amount, such as 15');
  await expectGood(page);
});
