import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../accessible.ts';
import { test } from '../fixtures.ts';
import { ownerAt } from './new-shop.ts';
import { signIn } from './person.ts';

test.slow();

const LOGO = 'public/readme/pay-phone.png';
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const saved = (page: Page) => page.getByText('Settings saved.').first();

test('what is typed into the settings stays while others save, and never takes theirs back', async ({
  page,
  context,
  gateway,
}) => {
  const path = '/dashboard/sandbox/settings';
  await ownerAt(page, gateway, 'Typing shop', path);
  const name = page.getByLabel('Name', { exact: true });
  const chooseLogo = async () => {
    await page.getByLabel('Choose an image', { exact: true }).setInputFiles(LOGO);
    await expect(page.getByText('Logo saved.').first()).toBeVisible();
  };
  await name.fill('Typed here');

  const other = await context.newPage();
  await other.goto(path);
  await other.getByLabel('Time zone').selectOption('Asia/Tashkent');
  await save(other);
  await expect(saved(other)).toBeVisible();

  await chooseLogo();
  await expect(page.getByLabel('Time zone')).toHaveValue('Asia/Tashkent');
  await expect(name).toHaveValue('Typed here');
  await save(page);
  await expect(saved(page)).toBeVisible();

  await other.reload();
  await expect(other.getByLabel('Name', { exact: true })).toHaveValue('Typed here');
  await expect(other.getByLabel('Time zone')).toHaveValue('Asia/Tashkent');
  await other.getByLabel('Name', { exact: true }).fill('Named there');
  await name.fill('Typed anew');
  await save(other);
  await expect(saved(other)).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Logo removed.')).toBeVisible();
  await expect(name).toHaveValue('Typed anew');
  await save(page);
  await expect(page.getByText('Someone else has saved the settings meanwhile.')).toBeVisible();
  await expect(name).toHaveValue('Typed anew');
});

test('an invoice form outlives the session: after a sign-in in another tab it is sent as it was typed', async ({
  page,
  context,
  gateway,
}) => {
  const owner = await ownerAt(page, gateway, 'Patient shop', '/dashboard/sandbox/invoices/new');
  for (const [label, text] of [
    ['What is it for?', 'Typed for long'],
    ['Amount', '15'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await context.clearCookies();
  const submit = page.getByRole('button', { name: 'Create link', exact: true });
  await submit.click();
  await expect(page.getByText('What you typed stays here.')).toHaveCount(1);
  await expectAccessible(page);

  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Sign in in a new tab' }).click();
  const other = await opened;
  await signIn(other, owner.email, owner.password);
  await other.waitForURL('**/dashboard/sandbox');
  await page.bringToFront();
  await expect(page.getByLabel('What is it for?', { exact: true })).toHaveValue('Typed for long');
  await submit.click();
  await page.waitForURL('**/dashboard/sandbox/invoices/inv_*/link');
  await expect(page.getByText('Typed for long').first()).toBeVisible();
  await expect(page.getByText('Sign in first.')).toHaveCount(0);
});
