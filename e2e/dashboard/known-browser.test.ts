import { expect, type Page } from '@playwright/test';
import { ACCOUNT_LIMIT, accountKey } from '#server/auth/sign-in.ts';
import { countTry } from '#server/auth/throttle.ts';
import { openPool } from '#server/db/pool.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { newShop } from './new-shop.ts';
import { linkFor, signIn } from './person.ts';

const ACCOUNT = '/dashboard/sandbox/account';
const CHOSEN = 'correct horse battery';

/** Uses up the tries as strangers do, uncounted for this machine's shared address. */
async function useUpTries({ databaseUrl }: GatewayUnderTest, email: string): Promise<void> {
  const pool = openPool(databaseUrl, 1);
  for (let i = 0; i < ACCOUNT_LIMIT.max; i++) {
    await countTry(pool, accountKey(email), ACCOUNT_LIMIT, new Date());
  }
  await pool.end();
}

const isIn = (page: Page) =>
  expect(page.getByText('This session').filter({ visible: true })).toBeVisible();

test('a browser that somebody has signed in with lets them in again, whatever strangers try', async ({
  page,
  browser,
  gateway,
}) => {
  const { email, password } = (await newShop(gateway, 'Known browser journey')).owner;
  await page.goto(ACCOUNT);
  await signIn(page, email, password);
  await isIn(page);
  const kept = (await page.context().cookies()).find(({ name }) => name === 'known-browser');
  expect(kept).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });

  await useUpTries(gateway, email);
  await page.context().clearCookies({ name: 'next-auth.session-token' });
  await page.goto(ACCOUNT);
  await signIn(page, email, password);
  await isIn(page);

  const theirs = await browser.newContext({ baseURL: gateway.origin });
  const other = await theirs.newPage();
  await other.goto(ACCOUNT);
  await signIn(other, email, password);
  await expect(other.getByRole('alert').filter({ hasText: 'Too many attempts' })).toBeVisible();

  await other.getByRole('link', { name: 'Forgot your password?' }).click();
  await other.getByLabel('Email address').fill(email);
  await other.getByRole('button', { name: 'Email me a link' }).click();
  await expect(other.getByRole('status')).toContainText('If there is an account');
  await other.goto(await linkFor(gateway, email));
  await other.getByLabel('New password').fill(CHOSEN);
  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other.getByText('Your password has been changed.')).toBeVisible();
  await useUpTries(gateway, email);
  await other.goto(ACCOUNT);
  await signIn(other, email, CHOSEN);
  await isIn(other);
  await theirs.close();
});
