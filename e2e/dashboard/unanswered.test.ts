import { expect, type Locator, type Page, type Route } from '@playwright/test';
import { test } from '../fixtures.ts';
import { invitationBy } from './invitation-by.ts';
import { newShop } from './new-shop.ts';
import { expectGood, setUpSecondFactor, signIn, signInAt } from './person.ts';

// These pages precede the dashboard: nobody answers, or somebody else does.
test.slow();

const FAILED = 'The gateway could not be reached. Try again.';
const TOKEN = '**/api/auth/csrf';
const ACCOUNT = '/dashboard/sandbox/account';

const busy = (route: Route) =>
  route.fulfill({ status: 503, contentType: 'text/plain', body: 'Service is busy.' });
const cutOff = (route: Route) => route.abort();

/** Presses a button whose action is not answered, once in each way, and expects the message. */
async function pressUnanswered(page: Page, button: Locator, told: Locator): Promise<void> {
  for (const lose of [cutOff, busy]) {
    const handle = (route: Route) =>
      route.request().method() === 'POST' ? lose(route) : route.fallback();
    await page.route('**/dashboard/**', handle);
    const asked = page.waitForRequest((request) => request.method() === 'POST');
    await button.click();
    await asked;
    await expect(told).toBeVisible();
    await expect(button).toBeEnabled();
    await page.unroute('**/dashboard/**', handle);
  }
  await expect(button).toBeFocused();
}

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

test('who cannot be sent to a provider is told, and can try again', async ({ page }) => {
  await page.goto('/dashboard/sign-in', { waitUntil: 'networkidle' });
  const address = page.getByLabel('Email address');
  await address.fill('owner@example.com');
  const provider = page.getByRole('button', { name: 'Continue with Journey ID', exact: true });
  for (const lose of [busy, cutOff]) {
    await page.route('**/api/auth/**', lose);
    await provider.click();
    await expect(page.getByText('The gateway cannot be reached.')).toBeVisible();
    await expect(provider).toBeEnabled();
    await page.unroute('**/api/auth/**');
  }
  await expect(address).toHaveValue('owner@example.com');
  await expectGood(page);
});

test('a wrong code is typed over, and one that nobody answers for stays', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Unanswered code');
  await signInAt(page, owner, ACCOUNT);
  const { recoveryCodes } = await setUpSecondFactor(page, owner.password);
  await page.context().clearCookies();
  await signInAt(page, owner, ACCOUNT);
  const code = page.getByLabel('Code');
  await expect(code).toBeFocused();
  await code.fill('wrong');
  const go = page.getByRole('button', { name: 'Continue' });
  await go.click();
  await expect(page.getByText('This code is wrong')).toBeVisible();
  await expect(code).toBeFocused();
  const [right = ''] = recoveryCodes;
  await page.keyboard.type(right);
  await pressUnanswered(page, go, page.getByText(FAILED));
  await expect(code).toHaveValue(right);
  await go.click();
  await expect(page.getByText('This session').filter({ visible: true })).toBeVisible();
});

test('an address for an e-mail stays where nobody answers for it', async ({ page }) => {
  await page.goto('/dashboard/forgot-password', { waitUntil: 'networkidle' });
  const address = page.getByLabel('Email address');
  const email = `unanswered-${crypto.randomUUID()}@example.com`;
  await address.fill(email);
  const send = page.getByRole('button', { name: 'Email me a link' });
  await pressUnanswered(page, send, page.getByText(FAILED));
  await expect(address).toHaveValue(email);
  await expectGood(page);
  await send.click();
  await expect(page.getByRole('status')).toContainText('If there is an account');
});

test('who is invited can try again where nobody answers', async ({ page, gateway }) => {
  const shop = await newShop(gateway, 'Unanswered invitation');
  const { owner } = await newShop(gateway, 'Invited without an answer');
  const newcomer = `unanswered-${crypto.randomUUID()}@example.com`;
  const join = page.getByRole('button', { name: 'Join' });
  await page.goto(await invitationBy(gateway, shop, newcomer), { waitUntil: 'networkidle' });
  const password = page.getByLabel('New password');
  await password.fill('correct horse battery');
  await pressUnanswered(page, join, page.getByText(FAILED));
  await expect(password).toHaveValue('correct horse battery');
  await join.click();
  await expect(page.getByText('You have joined the team.')).toBeVisible();

  await page.goto(await invitationBy(gateway, shop, owner.email), { waitUntil: 'networkidle' });
  await pressUnanswered(page, join, page.getByText('The gateway cannot be reached.'));
  await join.click();
  await expect(page.getByText('You have joined the team.')).toBeVisible();
});
