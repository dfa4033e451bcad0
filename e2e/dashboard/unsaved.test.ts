import { type Dialog, expect, type Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import { ownerAt } from './new-shop.ts';

test.slow();

const INVOICE = 'This link has not been created yet. Leave this page?';

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

  await page.getByRole('button', { name: 'Search or jump to…' }).click();
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
