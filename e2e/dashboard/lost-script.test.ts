import { expect, type Locator } from '@playwright/test';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { signIn } from './person.ts';

// An upgrade has taken the files of the version before away, or there is no connection.
test.slow();

const SCRIPTS = '**/_next/static/chunks/**';

test('a palette whose script does not come leaves the page as it is, and opens once it does', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Palette offline');
  await page.goto('/dashboard/sandbox/invoices/new');
  await signIn(page, owner.email, owner.password);
  const description = page.getByLabel('Description', { exact: true });
  await description.fill('Typed for long');
  // Those of the page itself have come: without one of them it is lost as a whole.
  await page.waitForLoadState('networkidle');
  await page.route(SCRIPTS, (route) => route.abort());
  // Keys are no use before the page's own script is there.
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByText('Perhaps the gateway was updated').first()).toBeVisible({
      timeout: 2_000,
    });
  }).toPass({ timeout: 15_000 });
  await expect(description).toHaveValue('Typed for long');
  await page.unroute(SCRIPTS);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'An id, an amount' })).toBeFocused();
});

test('who is signed in and has no scripts reads that the dashboard needs them', async ({
  page,
  browser,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Scriptless');
  await page.goto('/dashboard/sandbox/invoices');
  await signIn(page, owner.email, owner.password);
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

test('Enter before the script is there sends nothing, and leaves what is typed', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Early Enter');
  const path = '/dashboard/sandbox/account';
  /** Presses it while the scripts are held back, then until it does what it should. */
  const pressEarly = async (last: Locator, others: Locator[], outcome: Locator) => {
    const typed = await last.inputValue();
    await last.press('Enter');
    release();
    await expect(async () => {
      await expect(last).toHaveValue(typed);
      for (const other of others) await expect(other).not.toHaveValue('');
      await last.press('Enter');
      await expect(outcome).toBeVisible({ timeout: 3_000 });
    }).toPass();
  };
  let release = (): void => undefined;
  const holdScripts = async () => {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.unroute(SCRIPTS);
    await page.route(SCRIPTS, async (route) => {
      if (new URL(route.request().url()).pathname.endsWith('.js')) await released;
      await route.continue();
    });
  };

  await holdScripts();
  await page.goto(path, { waitUntil: 'commit' });
  const [email, password] = [page.getByLabel('Email address'), page.getByLabel('Password')];
  await email.fill(owner.email);
  await password.fill('no password of theirs');
  const refused = page.getByText('Incorrect email address or password.');
  await pressEarly(password, [email], refused);
  await password.fill(owner.password);
  await password.press('Enter');
  await expect(page.getByText('This session')).toBeVisible();

  await holdScripts();
  await page.goto(path, { waitUntil: 'commit' });
  const [current, chosen] = [page.getByLabel('Current password'), page.getByLabel('New password')];
  await current.fill('no password of theirs');
  await chosen.fill('correct horse battery');
  await pressEarly(chosen, [current], page.getByText('Your current password is wrong.'));
  expect(new URL(page.url()).search).toBe('');
});
