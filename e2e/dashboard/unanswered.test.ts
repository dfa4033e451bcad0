import { expect, type Route } from '@playwright/test';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { signIn } from './person.ts';

// These pages precede the dashboard: nobody answers, or somebody else does.
test.slow();

const FAILED = 'The gateway could not be reached. Try again.';
const TOKEN = '**/api/auth/csrf';
const ACCOUNT = '/dashboard/sandbox/account';

const busy = (route: Route) =>
  route.fulfill({ status: 503, contentType: 'text/plain', body: 'Service is busy.' });

test('a sign-in that nobody answers is told, and what was typed stays', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Unanswered sign-in');
  await page.goto(ACCOUNT, { waitUntil: 'networkidle' });
  const address = page.url();
  const stands = async (words: string) => {
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByLabel('Email address')).toHaveValue(owner.email);
    await expect(page.getByLabel('Password')).toHaveValue(owner.password);
    expect(page.url()).toBe(address);
  };
  await page.route(TOKEN, busy, { times: 1 });
  await signIn(page, owner.email, owner.password);
  await stands(FAILED);
  // The browser keeps no cookies.
  await page.route(TOKEN, async (route) => {
    await route.fulfill({ json: await (await fetch(route.request().url())).json() });
  });
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await stands('Signing in needs cookies. Allow them for this site, then try again.');
  await page.unroute(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('This session').filter({ visible: true })).toBeVisible();
});
