import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { openPalette } from './open-palette.ts';
import { expectGood, signInAt } from './person.ts';

test('a developer finds the documentation, the lost secret’s cure, and lines to paste', async ({
  page,
  gateway,
}) => {
  const { owner, merchantId } = await newShop(gateway, 'First hour');
  await signInAt(page, owner, '/dashboard/sandbox/developers');
  await expect(page.getByRole('region', { name: 'Signing secret', exact: true })).toContainText(
    'The secret was shown once, when it was created: if nobody has it any more, rotate it.',
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
