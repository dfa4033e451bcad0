import { expect, type Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { holdScripts } from './hold-scripts.ts';
import { ownerAt } from './new-shop.ts';
import { openPalette } from './open-palette.ts';

/** Signs in and leaves on a screen that has no script yet, until what it gives is called. */
async function beforeScript(
  page: Page,
  gateway: GatewayUnderTest,
  name: string,
): Promise<() => void> {
  await ownerAt(page, gateway, name, '/dashboard/sandbox/account');
  await expect(page.getByText('This session')).toBeVisible();
  const release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  return release;
}

test('a button that is pressed before the script is there does it once it is, and once', async ({
  page,
  gateway,
}) => {
  let release = await beforeScript(page, gateway, 'Early press');
  const field = page.getByLabel('Current password');
  for (let press = 0; press < 3; press++) {
    await page.getByRole('button', { name: 'Show what is typed' }).first().click();
  }
  await expect(field).toHaveAttribute('type', 'password');
  release();
  await expect(field).toHaveAttribute('type', 'text');
  await page.waitForLoadState('networkidle');
  await expect(field).toHaveAttribute('type', 'text');
  // With the script there, a press is one press.
  await page.getByRole('button', { name: 'Hide what is typed' }).first().click();
  await expect(field).toHaveAttribute('type', 'password');

  release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  release();
  await expect(page).toHaveURL(/\/dashboard\/sign-in$/);
});

test('nor is a press lost while React is there and waits for the rest', async ({
  page,
  gateway,
}) => {
  await ownerAt(page, gateway, 'Pressed between', '/dashboard/sandbox/account');
  await expect(page.getByText('This session')).toBeVisible();
  const release = await holdScripts(page, { having: '/api/auth/session' });
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('button', { name: /^Account menu/ }).click();
  // It listens at the document, and takes what is pressed on what it does not know yet.
  await page.waitForFunction(() =>
    Object.keys(document).some((key) => key.startsWith('__reactContainer')),
  );
  await page.getByRole('button', { name: 'Sign out' }).click();
  release();
  await expect(page).toHaveURL(/\/dashboard\/sign-in$/);
});

test('who presses again as the script comes has pressed once', async ({ page, gateway }) => {
  const release = await beforeScript(page, gateway, 'Pressed on');
  await page.getByRole('button', { name: 'Show what is typed' }).first().click();
  // When the button looks whether it was pressed, its script is there.
  await page.evaluate(() => {
    if (!window.earlyPress) throw new Error('The press was not noted.');
    const { button, atMs } = window.earlyPress;
    window.earlyPress = {
      button,
      get atMs() {
        queueMicrotask(() => button.click());
        return atMs;
      },
    };
  });
  release();
  const field = page.getByLabel('Current password');
  await expect(field).toHaveAttribute('type', 'text');
  await page.waitForLoadState('networkidle');
  await expect(field).toHaveAttribute('type', 'text');
});

test('a press in a menu that was closed again before the script came does nothing', async ({
  page,
  gateway,
}) => {
  const release = await beforeScript(page, gateway, 'Closed again');
  await page.getByRole('button', { name: /^Account menu/ }).click();
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await signOut.click();
  await page.keyboard.press('Escape');
  await expect(signOut).toBeHidden();
  release();
  // By keys: another press would be the last one.
  await openPalette(page);
  await page.waitForLoadState('networkidle');
  await expect(page).toHaveURL(/\/account$/);
});
