import { expect, type Page, type Route } from '@playwright/test';
import { TOTP } from 'otpauth';
import { requestReset } from '#server/auth/password-reset.ts';
import { openPool } from '#server/db/pool.ts';
import { insertDue } from '#server/testing/callbacks.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { invitationBy } from './invitation-by.ts';
import { newShop } from './new-shop.ts';
import { expectGood, signIn, signInAt } from './person.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

/** Lets the server carry out a call and loses its answer. */
const lose = async (route: Route) => {
  await route.fetch();
  await route.abort();
};

const signInLink = (page: Page) => page.getByRole('link', { name: 'Sign in', exact: true });

test('who sets a password twice by one link is told to sign in', async ({ page, gateway }) => {
  const { owner } = await newShop(gateway, 'Password twice');
  const pool = openPool(gateway.databaseUrl, 1);
  const wish = { email: owner.email, addressKey: crypto.randomUUID(), now: new Date() };
  const asked = await requestReset(pool, wish);
  await pool.end();
  const token = asked.outcome === 'accepted' ? asked.link?.token : undefined;
  const link = `/dashboard/new-password/${token}`;
  const other = await page.context().newPage();
  for (const each of [page, other]) {
    await each.goto(link);
    await each.getByLabel('New password').fill('correct horse battery');
  }
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Your password has been changed.')).toBeVisible();

  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other.getByRole('main').getByRole('alert')).toHaveText(
    /^This link no longer works\. If you have just set a password with this link, sign in\./,
  );
  await expectGood(other);
  await expect(signInLink(other)).toBeVisible();
  await other.goto(link);
  await expect(
    other.getByText('If you have just set a password with this link, sign in.'),
  ).toBeVisible();
  await expectGood(other);
  await signInLink(other).click();
  await signIn(other, owner.email, 'correct horse battery');
  await expect(other.getByRole('button', { name: /^Account menu/ })).toBeVisible();
});

test('who joins twice by one invitation is told to sign in', async ({ page, gateway }) => {
  const shop = await newShop(gateway, 'Joining twice');
  const member = await newShop(gateway, 'Member already');
  const other = await page.context().newPage();
  const newcomer = `newcomer-${crypto.randomUUID().slice(0, 8)}@example.com`;
  for (const email of [newcomer, member.owner.email]) {
    const link = await invitationBy(gateway, shop, email);
    for (const each of [page, other]) {
      await each.goto(link);
      const password = each.getByLabel('New password');
      if (email === newcomer) await password.fill('correct horse battery');
    }
    await page.getByRole('button', { name: 'Join' }).click();
    await expect(page.getByText('You have joined the team.')).toBeVisible();
    await other.getByRole('button', { name: 'Join' }).click();
    await expect(other.getByRole('main').getByRole('alert')).toHaveText(
      /^This invitation no longer works\. It has been accepted .* If you have just joined, sign in\./,
    );
    await expectGood(other);
    await signInLink(other).click();
    await expect(other.getByLabel('Email address')).toBeVisible();
  }
});

test('who lost the answer to a first code is led to new recovery codes', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'First code twice');
  await signInAt(page, owner, '/dashboard/sandbox/account');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const password = page.getByLabel('Your password', { exact: true });
  // A press has no effect before the script is there.
  await expect(async () => {
    if (!(await password.isVisible())) await button('Set up').click();
    await expect(password).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await password.fill(owner.password);
  await button('Set up').click();
  const shown = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent();
  const secret = (shown ?? '').replaceAll(' ', '');
  await page.getByLabel('Code that the app shows now').fill(new TOTP({ secret }).generate());
  await page.route('**/security.confirmSecondFactor*', lose, { times: 1 });
  await button('Confirm').click();
  await expect(page.getByText('The gateway could not be reached.')).toBeVisible();
  await button('Confirm').click();
  await expect(page.getByText('If it is, create new recovery codes')).toBeVisible();
  await expectGood(page);
  await page.getByRole('link', { name: 'Reload the page' }).click();
  await expect(page.getByText('Recovery codes left: 10.')).toBeVisible();
  await expect(button('New recovery codes')).toBeVisible();
});

test('who lost the answer to a new password is told that it may be theirs already', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Changing twice');
  await signInAt(page, owner, '/dashboard/sandbox/account');
  await page.getByLabel('Current password').fill(owner.password);
  await page.getByLabel('New password').fill('correct horse battery');
  await page.route('**/security.changePassword*', lose, { times: 1 });
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await expect(page.getByText('then the new password is your current one')).toBeVisible();
  await expectGood(page);
  await change.click();
  await expect(page.getByText('Your current password is wrong.')).toBeVisible();
  const current = page.getByLabel('Current password');
  await expect(current).toBeFocused();
  await expect(current).toHaveAccessibleDescription('Your current password is wrong.');
  await expect(page.locator('[aria-invalid]')).toHaveCount(1);
});

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

test('who lost the answer to the right code of a sign-in is led on, signed in', async ({
  page,
  gateway,
}) => {
  await (await lateCode(page, gateway, 'second_factor_at')).click();
  await expect(page.getByText('This session').filter({ visible: true })).toBeVisible();
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
    await expect(page.getByText('No answer came. It may have worked').first()).toBeVisible();
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

test('a screen whose own refresh is lost stays as it is, and is fresh at the next', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Lost refresh');
  await insertCallback(gateway, shop);
  await signInAt(page, shop.owner, '/dashboard/sandbox/callbacks');
  await page.getByText('Filters', { exact: true }).click();
  const filter = page.getByLabel('Host', { exact: true });
  await filter.fill('half-typed');
  let lost = 0;
  await page.route('**/dashboard/**', async (route) => {
    lost++;
    await route.abort('internetdisconnected');
  });
  await expect(async () => {
    await comeBack(page);
    expect(lost).toBeGreaterThan(1);
  }).toPass();
  await expect(filter).toHaveValue('half-typed');
  await page.unroute('**/dashboard/**');
  const rows = page.getByText('Invoice cancelled');
  await expect(rows).toHaveCount(1);
  await insertCallback(gateway, shop);
  await expect(async () => {
    await comeBack(page);
    await expect(rows).toHaveCount(2, { timeout: 2_000 });
  }).toPass();
  await expect(filter).toHaveValue('half-typed');
});

test('refreshes of a screen neither pile up nor leave anything in the history', async ({
  page,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Slow refresh');
  await insertCallback(gateway, shop);
  await signInAt(page, shop.owner, '/dashboard/sandbox/team');
  await expect(page.getByRole('heading', { name: 'Team', exact: true })).toBeVisible();
  await page.goto('/dashboard/sandbox/callbacks');
  await expect(page.getByText('Filters', { exact: true })).toBeVisible();
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
