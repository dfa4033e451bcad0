import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { openAsOperator } from '../operator/as-operator.ts';
import { expectGood } from './person.ts';

test.slow();

const CHOSEN = 'correct horse battery';

test('a new owner sets a password of their own by the link that the operator was shown', async ({
  page,
  browser,
  gateway,
}) => {
  const email = `new-owner-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await openAsOperator(page, gateway, '/operator/merchants/new');
  await page.getByLabel('Name, as buyers see it').fill('Invited shop');
  await page.getByLabel('Owner’s email address').fill(email);
  await page.getByRole('button', { name: 'Create merchant', exact: true }).click();
  const shown = page.getByText(/^http:\S+\/dashboard\/new-password\/\w{43}$/);
  const first = (await shown.textContent()) ?? '';
  await expect(page.getByText('anyone who has it can open the account')).toBeVisible();
  await expectGood(page);

  // The link got lost on the way to its owner: the merchant's page makes another.
  await page.getByRole('link', { name: 'Open the merchant', exact: true }).click();
  const waiting = page.getByRole('region', {
    name: 'Owners who have never signed in',
    exact: true,
  });
  await expect(waiting).toContainText(email);
  await expect(waiting).toContainText('The link is valid until');
  await waiting.getByRole('button', { name: `New link: ${email}`, exact: true }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The previous link stops working.');
  await dialog.getByRole('button', { name: 'Create link', exact: true }).press('Enter');
  const once = dialog.getByRole('region', { name: /^The link is shown only once/ });
  await expect(once).toBeFocused();
  const link = (await shown.textContent()) ?? '';
  expect(link).not.toBe(first);
  await expectGood(page);
  await dialog.getByRole('button', { name: 'Done', exact: true }).press('Enter');
  await expect(dialog).toBeHidden();

  const context = await browser.newContext({ baseURL: gateway.origin });
  const other = await context.newPage();
  await other.goto(first);
  await expect(other.getByText('This link no longer works')).toBeVisible();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'Set your password' })).toBeVisible();
  await expect(other).toHaveTitle(/^Set your password/);
  await expectGood(other);
  const password = other.getByLabel('New password');
  for (const weak of ['123456789012', 'password password']) {
    await password.fill(weak);
    await other.getByRole('button', { name: 'Set password' }).click();
    await expect(password).toHaveAccessibleDescription(/too easy to guess/);
    await expect(password).toBeFocused();
  }
  await password.fill(CHOSEN);
  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other.getByText('Your password is set. Sign in with it.')).toBeVisible();
  expect(other.url()).not.toContain(email.split('@')[0]);
  const [address, given] = [other.getByLabel('Email address'), other.getByLabel('Password')];
  await expect(address).toHaveValue(email);
  await expect(given).toBeFocused();
  // A user who mistypes the password types it again, and the address stays.
  await given.fill('correct horse batery');
  await given.press('Enter');
  await expect(given).toHaveAccessibleDescription(/Incorrect email address or password/);
  await expect(other.getByText('Your password is set. Sign in with it.')).toHaveCount(0);
  await expect(given).toBeFocused();
  await expect(address).toHaveValue(email);
  await other.keyboard.type(CHOSEN);
  await other.keyboard.press('Enter');
  await expect(other.getByText('Invited shop').first()).toBeVisible();
  await other.goto(link);
  await expect(other.getByText('This link no longer works')).toBeVisible();
  await context.close();

  await page.reload();
  await expect(waiting).toHaveCount(0);
  await expect(page.getByText(`Invited ${email} to set a password`)).toHaveCount(2);
  await expect(page.getByText('Set their first password')).toBeVisible();

  await page.goto('/operator/merchants/new');
  await page.getByLabel('Name, as buyers see it').fill('Second shop of theirs');
  await page.getByLabel('Owner’s email address').fill(email);
  await page.getByRole('button', { name: 'Create merchant', exact: true }).click();
  await expect(page.getByText('The owner signs in as before')).toBeVisible();
  await expect(shown).toHaveCount(0);
});
