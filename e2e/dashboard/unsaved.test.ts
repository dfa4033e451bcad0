import { type Dialog, expect, type Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import { ownerAt } from './new-shop.ts';

test.slow();

const SETTINGS = 'What you changed is not saved yet. Leave this page without it?';
const INVOICE = 'This link is not created yet. Leave this page without it?';

/** Answers all questions alike, and keeps their texts. */
function answering(page: Page): { asked: string[]; leave: (isLeft: boolean) => void } {
  const asked: string[] = [];
  let isLeft = false;
  page.on('dialog', (dialog: Dialog) => {
    asked.push(dialog.type() === 'beforeunload' ? 'the browser’s own' : dialog.message());
    return isLeft ? dialog.accept() : dialog.dismiss();
  });
  return {
    asked,
    leave: (next) => {
      isLeft = next;
    },
  };
}

test('whoever leaves settings that are not saved is asked, once, and no more when they are', async ({
  page,
  gateway,
}) => {
  await ownerAt(page, gateway, 'Unsaved shop', '/dashboard/sandbox/settings');
  const { asked, leave } = answering(page);
  const name = page.getByLabel('Name', { exact: true });
  const overview = page.getByRole('link', { name: 'Overview', exact: true });
  const settings = page.getByRole('link', { name: 'Settings', exact: true });
  // The saved text is not lost, so there is no question.
  await name.fill('Typed here');
  // The preview shows that the script is there.
  await expect(page.getByText('Typed here')).toHaveCount(2);
  await name.fill('Unsaved shop');
  await overview.click();
  await page.waitForURL('**/dashboard/sandbox');
  await settings.click();
  await page.waitForURL('**/settings');
  expect(asked).toEqual([]);

  await name.fill('Typed here');
  await overview.click();
  await expect.poll(() => asked).toEqual([SETTINGS]);
  await page.goBack({ timeout: 2_000 }).catch(() => undefined);
  await expect.poll(() => asked).toEqual([SETTINGS, SETTINGS]);
  await expect(name).toHaveValue('Typed here');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Settings saved.').first()).toBeVisible();
  await overview.click();
  await page.waitForURL('**/dashboard/sandbox');
  expect(asked).toHaveLength(2);

  await settings.click();
  await page.waitForURL('**/settings');
  await name.fill('Typed in vain');
  leave(true);
  // This page loads in full, so the browser would ask as well.
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('link', { name: 'Русский' }).click();
  await expect(page.getByRole('heading', { name: 'Настройки', level: 1 })).toBeVisible();
  expect(asked).toEqual([SETTINGS, SETTINGS, SETTINGS]);
});

test('whoever leaves an invoice that is not made is asked, however they leave', async ({
  page,
  gateway,
}) => {
  await ownerAt(page, gateway, 'Hasty shop', '/dashboard/sandbox/invoices/new');
  const { asked, leave } = answering(page);
  const description = page.getByLabel('What is it for?', { exact: true });
  await description.fill('Typed for long');
  const isAsked = async (text: string) => {
    await expect.poll(() => asked.splice(0)).toEqual([text]);
    await expect(description).toHaveValue('Typed for long');
    await expect(page).toHaveURL(/\/invoices\/new$/);
  };

  await page.getByRole('button', { name: 'Search or go to…' }).click();
  await page.getByRole('dialog').getByRole('combobox').fill('overview');
  await page.keyboard.press('Enter');
  await isAsked(INVOICE);
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await isAsked(INVOICE);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Production', exact: true }).click();
  await isAsked(INVOICE);
  await page.evaluate(() => setTimeout(() => window.location.reload()));
  await isAsked('the browser’s own');

  // A made invoice can no longer be lost.
  await page.getByLabel('Amount', { exact: true }).fill('15');
  await page.getByRole('button', { name: 'Create link', exact: true }).click();
  await page.waitForURL('**/dashboard/sandbox/invoices/inv_*/link');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.waitForURL('**/dashboard/sandbox');
  expect(asked).toEqual([]);
  leave(true);
});
