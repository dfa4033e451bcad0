import { expect } from '@playwright/test';
import { totpAddress } from '#server/auth/second-factor/totp.ts';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { openPalette } from './open-palette.ts';
import { beginSecondFactor, expectGood, signInAt } from './person.ts';

test('what was copied is said for two seconds from the last press', async ({ page, gateway }) => {
  const { owner } = await newShop(gateway, 'Copying shop');
  await page.clock.install();
  await signInAt(page, owner, '/dashboard/sandbox/developers');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Developers');
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.resolve();
  });
  const connection = page.getByRole('region', { name: 'Connection', exact: true });
  const copy = connection.getByRole('button').first();
  // A press has no effect before the script is there.
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

test('a developer finds the documentation, the lost secret’s cure, and lines to paste', async ({
  page,
  gateway,
}) => {
  const { owner, merchantId } = await newShop(gateway, 'First hour');
  await signInAt(page, owner, '/dashboard/sandbox/developers');
  await expect(page.getByRole('region', { name: 'Signing secret', exact: true })).toContainText(
    'The secret was shown once, when it was made: if nobody has it any more, rotate it.',
  );
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      document.body.dataset.copied = text;
    };
  });
  const lines = [
    `export BASE_URL=${gateway.origin}/api/sandbox`,
    `export MERCHANT_ID=${merchantId}`,
    'export API_TOKEN=gw_sandbox_…',
  ].join('\n');
  const create = page.getByRole('region', { name: 'Create an invoice', exact: true });
  await expect(async () => {
    await create.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await expect(page.locator('body')).toHaveAttribute('data-copied', lines, { timeout: 1_000 });
  }).toPass();
  await expectGood(page);
  const expectDocs = async () => {
    await expect(page).toHaveURL('/docs');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Documentation');
  };
  await page.getByRole('link', { name: 'Documentation', exact: true }).click();
  await expectDocs();
  await page.goBack();
  const box = await openPalette(page);
  await box.fill('Documentation');
  await box.press('Enter');
  await expectDocs();
});

test('the key of a second factor goes to an app on the phone that shows it', async ({
  page,
  gateway,
}) => {
  test.slow();
  const { owner } = await newShop(gateway, 'One phone');
  await signInAt(page, owner, '/dashboard/sandbox/account');
  const secret = await beginSecondFactor(page, owner.password);
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      document.body.dataset.copied = text;
    };
  });
  await page.getByRole('button', { name: 'Copy the key', exact: true }).click();
  await expect(page.locator('body')).toHaveAttribute('data-copied', secret);
  await expectGood(page);
  const open = page.getByRole('link', { name: 'Open my authenticator app', exact: true });
  await expect(open).toBeHidden();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(open).toHaveAttribute('href', totpAddress(secret, owner.email));
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.enable');
  const asked = new Promise<string>((resolve) => {
    browser.on('Page.frameRequestedNavigation', ({ url }) => resolve(url));
  });
  await open.click();
  // Neither React nor the page's policy blocks it; the page stays if there is no such app.
  expect(await asked).toBe(totpAddress(secret, owner.email));
  await expect(page.getByLabel('Code that the app shows now')).toBeVisible();
});
