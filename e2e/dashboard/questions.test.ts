import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { holdRequests } from '../held-requests.ts';
import { newShop } from './new-shop.ts';
import { signIn } from './person.ts';

test.slow();

/** Opens the question about the first token of a new shop. */
async function askedByKey(page: Page, gateway: GatewayUnderTest): Promise<Locator> {
  const { owner } = await newShop(gateway, 'Questioned shop');
  await page.goto('/dashboard/sandbox/developers');
  await signIn(page, owner.email, owner.password);
  const dialog = page.getByRole('dialog');
  // A press has no effect before the script is there.
  await expect(async () => {
    const ask = page.getByRole('button', { name: 'Deactivate: First token', exact: true });
    await ask.press('Enter', { timeout: 1_000 });
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return dialog;
}

test('the answer to a question keeps the focus while it is carried out, and is given once', async ({
  page,
  gateway,
}) => {
  const dialog = await askedByKey(page, gateway);
  const { release, asked: calls } = await holdRequests(page, '**/developers.deactivateToken*');
  const answer = dialog.getByRole('button', { name: 'Deactivate', exact: true });
  await answer.press('Enter');
  await expect(answer).toBeDisabled();
  await expect(answer).toBeFocused();
  await answer.press('Enter');
  release();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'API tokens' })).toBeFocused();
  expect(calls()).toBe(1);
});

test('what was done is told as long as the pointer is on it', {
  tag: '@waits',
}, async ({ page, gateway }) => {
  const dialog = await askedByKey(page, gateway);
  await dialog.getByRole('button', { name: 'Deactivate', exact: true }).press('Enter');
  // The dialog gives the focus back as it goes, which starts the time of what is told anew.
  await expect(dialog).toBeHidden();
  const told = page.getByText('Token deactivated.', { exact: true });
  // On a busy machine it may still slide in after the first time: the pointer goes after it.
  await told.hover();
  await page.waitForTimeout(1_000);
  await told.hover();
  await page.waitForTimeout(7_000);
  await expect(told).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(told).toBeHidden();
});
