import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { holdScripts, SCRIPTS } from './hold-scripts.ts';
import { newShop } from './new-shop.ts';
import { signInAt } from './person.ts';

// An upgrade has removed the files of the version before, or there is no connection.
test.slow();

test('who is signed in and has no scripts reads that the dashboard needs them', async ({
  page,
  browser,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Scriptless');
  await signInAt(page, owner, '/dashboard/sandbox/invoices');
  await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible();
  const context = await browser.newContext({
    baseURL: gateway.origin,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await context.newPage();
  await plain.goto('/dashboard/sandbox/invoices');
  const told = plain.locator('noscript p');
  await expect(told).toBeVisible();
  await expect(told).toHaveText('The dashboard needs JavaScript.');
  await plain.goto('/dashboard/sandbox/invoices?lang=ru');
  await expect(told).toHaveText('Для кабинета нужен JavaScript.');
  await context.close();
});

test('a form that is sent before the script is there goes once it is, as it is typed, and once', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Early Enter');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });

  let release = await holdScripts(page);
  await page.goto('/dashboard/sandbox/settings', { waitUntil: 'commit' });
  await page.getByLabel('Email address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  for (let press = 0; press < 2; press++) {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  expect(sent).toEqual([]);
  release();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  expect(sent.filter((path) => path.includes('callback'))).toHaveLength(1);

  release = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  sent.length = 0;
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Typed early');
  await page.getByLabel('Time zone').selectOption('Asia/Tashkent');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await name.fill('Typed early, then on');
  release();
  await expect(page.getByText('Settings saved.').first()).toBeVisible();
  await expect(name).toHaveValue('Typed early, then on');
  expect(sent.filter((path) => path.endsWith('settings.save'))).toHaveLength(1);

  // The button is pressed until the call begins: before the script, as it loads, and with it.
  release = await holdScripts(page);
  await page.goto('/dashboard/sandbox/developers', { waitUntil: 'commit' });
  await page.getByLabel('Name of a new token').fill('Pressed often');
  const create = page.getByRole('button', { name: 'Create token', exact: true });
  await create.evaluate((button: HTMLElement) => {
    const timer = setInterval(() => {
      if (button.getAttribute('aria-disabled') === 'true') clearInterval(timer);
      else button.click();
    }, 40);
  });
  sent.length = 0;
  release();
  await expect(page.getByText('gw_sandbox_').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(sent.filter((path) => path.endsWith('createToken'))).toHaveLength(1);

  // The text that the browser itself holds stays after a refusal.
  release = await holdScripts(page);
  await page.goto('/dashboard/sandbox/account', { waitUntil: 'commit' });
  const [current, chosen] = [page.getByLabel('Current password'), page.getByLabel('New password')];
  await current.fill('no password of theirs');
  await chosen.fill('correct horse battery');
  await chosen.press('Enter');
  release();
  await expect(page.getByText('Your current password is wrong.')).toBeVisible();
  await expect(chosen).toHaveValue('correct horse battery');
  expect(new URL(page.url()).search).toBe('');
  await page.unroute(SCRIPTS);
  await page.reload();
  await page.goto('/dashboard/sandbox/settings');
  await expect(name).toHaveValue('Typed early, then on');
  await expect(page.getByLabel('Time zone')).toHaveValue('Asia/Tashkent');
});
