import { expect, type Page } from '@playwright/test';
import { ACCOUNT_LIMIT, accountKey } from '#server/auth/sign-in.ts';
import { countTry } from '#server/auth/throttle.ts';
import { openPool } from '#server/db/pool.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { newShop } from './new-shop.ts';
import { linkFor, signIn } from './person.ts';

const CHOSEN = 'correct horse battery';

/** As strangers use them up, without counting them for this machine's address, which journeys share. */
async function useUpTries({ databaseUrl }: GatewayUnderTest, email: string): Promise<void> {
  const pool = openPool(databaseUrl, 1);
  for (let i = 0; i < ACCOUNT_LIMIT.max; i++) {
    await countTry(pool, accountKey(email), ACCOUNT_LIMIT, new Date());
  }
  await pool.end();
}

const isIn = (page: Page) => expect(page.getByText('This session')).toBeVisible();

test('a browser that somebody has signed in with lets them in again, whatever strangers try', async ({
  page,
  browser,
  gateway,
}) => {
  const { email, password } = (await newShop(gateway, 'Known browser journey')).owner;
  const account = '/dashboard/sandbox/account';
  await page.goto(account);
  await signIn(page, email, password);
  await isIn(page);
  const kept = (await page.context().cookies()).find(({ name }) => name === 'known-browser');
  expect(kept).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });

  await useUpTries(gateway, email);
  await page.context().clearCookies({ name: 'next-auth.session-token' });
  await page.goto(account);
  await signIn(page, email, password);
  await isIn(page);

  const theirs = await browser.newContext({ baseURL: gateway.origin });
  const other = await theirs.newPage();
  await other.goto(account);
  await signIn(other, email, password);
  await expect(other.getByRole('alert').filter({ hasText: 'Too many tries' })).toBeVisible();

  await other.getByRole('link', { name: 'Forgot your password?' }).click();
  await other.getByLabel('E-mail address').fill(email);
  await other.getByRole('button', { name: 'Send the letter' }).click();
  await expect(other.getByRole('status')).toContainText('If there is an account');
  await other.goto(await linkFor(gateway, email));
  await other.getByLabel('New password').fill(CHOSEN);
  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other.getByText('Your password is changed.')).toBeVisible();
  await useUpTries(gateway, email);
  await other.goto(account);
  await signIn(other, email, CHOSEN);
  await isIn(other);
  await theirs.close();
});
