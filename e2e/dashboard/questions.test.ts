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
