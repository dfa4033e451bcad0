import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { signIn } from './person.ts';

test('what was copied is said for two seconds from the last press', async ({ page, gateway }) => {
  const { owner } = await newShop(gateway, 'Copying shop');
  await page.clock.install();
  await page.goto('/dashboard/sandbox/developers');
  await signIn(page, owner.email, owner.password);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Developers');
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.resolve();
  });
  const connection = page.getByRole('region', { name: 'Connection', exact: true });
  const copy = connection.getByRole('button').first();
  // A press is no use before the script is there.
  await expect(async () => {
    await copy.click();
    await expect(copy).toHaveText('Copied', { timeout: 1_000 });
  }).toPass();
  await expect(copy).toHaveText('Copy');
  await copy.click();
  await expect(copy).toHaveText('Copied');
  await page.clock.fastForward(1_900);
  await copy.click();
  await expect(copy).toHaveText('Copied');
  await page.clock.fastForward(1_000);
  await expect(copy).toHaveText('Copied');
  await page.clock.fastForward(1_100);
  await expect(copy).toHaveText('Copy');
});
