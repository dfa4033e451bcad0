import { expect, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { insertDue } from '#server/testing/callbacks.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { newShop } from './new-shop.ts';
import { expectGood, signInAt } from './person.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

/** Presses with a code whose sign-in has expired; returns the offered link. */
async function lateCode(page: Page, gateway: GatewayUnderTest, meanwhile: string) {
  const { owner } = await newShop(gateway, 'Late code');
  const pool = openPool(gateway.databaseUrl, 1);
  const { userId } = owner;
  const turnOn = `UPDATE users SET totp_secret = '', totp_enabled_at = now() WHERE id = $1`;
  await pool.query(turnOn, [userId]);
  await signInAt(page, owner, '/dashboard/sandbox/account');
  await page.getByLabel('Code').fill('000000');
  await pool.query(`UPDATE sessions SET ${meanwhile} = now() WHERE user_id = $1`, [userId]);
  await pool.end();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('timed out, or you are already signed in')).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveCount(0);
  return page.getByRole('link', { name: 'Continue' });
}

test('a sign-in that took too long for its code begins again where it was to lead', async ({
  page,
  gateway,
}) => {
  const onward = await lateCode(page, gateway, 'expires_at');
  await expect(onward).toBeFocused();
  await expectGood(page);
  await onward.click();
  await expect(page.getByLabel('Password')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('next')).toBe('/dashboard/sandbox/account');
});

test('a change of the team without a connection leaves the page as it is', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Team offline');
  await signInAt(page, owner, '/dashboard/sandbox/team');
  const address = page.getByLabel('Email address');
  const send = page.getByRole('button', { name: 'Send invitation' });
  await expect(send).toBeVisible();
  await address.fill('kim@example.com');
  // The script is loaded before the connection breaks.
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.context().setOffline(true);
  const CALL = '/api/trpc/sandbox/team.invite';
  // A reload after the first call would be requested before the second is sent.
  for (const times of [1, 2]) {
    await send.click();
    await expect.poll(() => asked.filter((each) => each === CALL)).toHaveLength(times);
    await expect(page.getByText('No response. It may have worked').first()).toBeVisible();
    await expect(send).toBeEnabled();
  }
  expect(asked).not.toContain('/dashboard/sandbox/team');
  await expect(address).toHaveValue('kim@example.com');
});

/** Adds one callback to a shop. */
async function insertCallback(
  { databaseUrl }: GatewayUnderTest,
  { merchantId }: { merchantId: string },
): Promise<void> {
  const pool = openPool(databaseUrl, 1);
  await insertDue(pool, { merchantId, url: 'http://shop.example/paid', at: new Date() });
  await pool.end();
}

/** Returns to the page as from another tab. */
const comeBack = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test('refreshes of a screen neither pile up nor leave anything in the history', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Slow refresh');
  await insertCallback(gateway, shop);
  await signInAt(page, shop.owner, '/dashboard/sandbox/team');
  await expect(page.getByRole('heading', { name: 'Team', exact: true })).toBeVisible();
  await page.goto('/dashboard/sandbox/callbacks');
  await expect(page.getByRole('list', { name: 'Filters' })).toBeVisible();
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
  await expect(page).toHaveURL(/#main$/);
  const entries = await page.evaluate(() => history.length);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  await page.route('**/dashboard/**', async (route) => {
    asked++;
    await held;
    await route.continue();
  });
  const looksAgain = () => Promise.all([page.waitForResponse(/account\.current/), comeBack(page)]);
  await expect(async () => {
    await looksAgain();
    expect(asked).toBe(1);
  }).toPass();
  await looksAgain();
  await looksAgain();
  expect(asked).toBe(1);
  release();
  // Another begins once the first has ended.
  await expect(async () => {
    await looksAgain();
    expect(asked).toBeGreaterThan(1);
  }).toPass();
  expect(await page.evaluate(() => history.length)).toBe(entries);
  // Back leads to the place before the jump, and then to the screen before.
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Team', exact: true })).toBeVisible();
});
