import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from '../accessible.ts';
import { test } from '../fixtures.ts';
import { holdRequests } from '../held-requests.ts';
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
    await page.getByLabel('Choose a picture', { exact: true }).setInputFiles(LOGO);
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
  await expect(page.getByText('Somebody else saved the settings meanwhile.')).toBeVisible();
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

test('what is typed while a form is being sent stays when the answer comes', async ({
  page,
  gateway,
}) => {
  const owner = await ownerAt(page, gateway, 'Fast typist', '/dashboard/sandbox/account');
  /** Presses, types on while the answer is held back, and releases the answer. */
  const typeOn = async (call: string, button: string, field: Locator, next: string) => {
    const { release } = await holdRequests(page, `**/${call}*`);
    const asked = page.waitForRequest(`**/${call}*`);
    await page.getByRole('button', { name: button, exact: true }).click();
    await asked;
    await field.fill(next);
    release();
  };
  await expect(page.getByText('This session').filter({ visible: true })).toBeVisible();
  await page.goto('/dashboard/sandbox/team', { waitUntil: 'networkidle' });
  const address = page.getByLabel('Email address', { exact: true });
  await address.fill('first@example.com');
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await typeOn('team.invite', 'Send invitation', address, 'second@example.com');
  await expect(page.getByText('The invitation is on its way.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send invitation' })).toBeEnabled();
  await expect(address).toHaveValue('second@example.com');
  await expect(page.getByLabel('Role', { exact: true })).toHaveValue('viewer');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(address).toHaveValue('');

  await page.goto('/dashboard/sandbox/developers', { waitUntil: 'networkidle' });
  const name = page.getByLabel('Name of a new token', { exact: true });
  await name.fill('First server');
  await typeOn('developers.createToken', 'Create token', name, 'Second server');
  await expect(page.getByText('First server').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create token', exact: true })).toBeEnabled();
  await expect(name).toHaveValue('Second server');

  await page.goto('/dashboard/sandbox/account', { waitUntil: 'networkidle' });
  const chosen = page.getByLabel('New password');
  await page.getByLabel('Current password').fill(owner.password);
  await chosen.fill('correct horse battery');
  await typeOn('security.changePassword', 'Change password', chosen, 'yet another horse');
  await expect(page.getByText('Password changed.').first()).toBeVisible();
  await expect(page.getByLabel('Current password')).toHaveValue('');
  await expect(chosen).toHaveValue('yet another horse');
});
