import { expect } from '@playwright/test';
import { TOTP } from 'otpauth';
import { test } from '../fixtures.ts';
import { OIDC_CLIENT_ID } from '../gateway.ts';
import { newShop } from './new-shop.ts';
import { startOidcServer } from './oidc-server.ts';
import { expectGood, linkFor, setUpSecondFactor, signIn, signInAt } from './person.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

const STEP_MS = 30_000;

test('an owner protects the account, brings somebody in, demands a second factor, and removes them', async ({
  page,
  browser,
  gateway,
}) => {
  const shop = await newShop(gateway, 'Team journey');
  await signInAt(page, shop.owner, '/dashboard/sandbox/account');
  const { secret, recoveryCodes } = await setUpSecondFactor(page, shop.owner.password);
  await expect(page.getByText('Recovery codes left: 10.')).toBeVisible();
  await expectGood(page);

  await page.getByRole('link', { name: 'Team' }).click();
  const invited = `support-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await page.getByLabel('Email address').fill(invited);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('button', { name: `Withdraw: ${invited}` })).toBeVisible();
  await expectGood(page);

  const theirs = await browser.newContext({ baseURL: gateway.origin });
  const other = await theirs.newPage();
  await other.goto(await linkFor(gateway, invited));
  await expect(other.getByText('Team journey')).toBeVisible();
  await expectGood(other);
  await other.getByLabel('New password').fill('correct horse battery');
  await other.getByRole('button', { name: 'Join' }).click();
  await signIn(other, invited, 'correct horse battery');
  await expect(other.getByRole('link', { name: 'Team' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'Audit log' })).toHaveCount(0);

  await page.reload();
  await page.getByRole('button', { name: 'Require a second factor' }).click();
  await expect(page.getByRole('dialog')).toContainText(invited);
  await page.getByRole('dialog').getByRole('button', { name: 'Require a second factor' }).click();
  await expect(page.getByText('Nobody can open this merchant without')).toBeVisible();
  await other.goto('/dashboard/sandbox/team');
  await expect(other).toHaveURL(/\/dashboard\/second-factor\?/);
  const refused = await theirs.request.get('/api/trpc/sandbox/team.members');
  expect(refused.status()).toBe(403);
  await expectGood(other);
  const { recoveryCodes: theirCodes } = await setUpSecondFactor(other, 'correct horse battery');
  await expect(other).toHaveURL(/\/dashboard\/sandbox\/team$/);

  await page.reload();
  const roleDialog = page.getByRole('dialog', { name: 'Change the role?' });
  // A press has no effect before the script is there.
  await expect(async () => {
    await page.getByRole('button', { name: `Change role: ${invited}` }).press('Enter');
    await expect(roleDialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const roles = roleDialog.getByRole('combobox', { name: `Role of ${invited}` });
  const change = roleDialog.getByRole('button', { name: 'Change role' });
  await expect(roles).toBeFocused();
  await expect(change).toBeDisabled();
  // Each arrow only chooses a role, so that every role can be reached.
  await roles.press('ArrowUp');
  await expect(roles).toHaveValue('finance');
  for (const _ of ['support', 'cashier', 'viewer']) await roles.press('ArrowDown');
  await expect(roles).toHaveValue('viewer');
  await expect(roles).toHaveAccessibleDescription('From now on: Can see invoices and callbacks.');
  await expectGood(page);
  await change.press('Enter');
  await expect(page.getByText('Role changed.')).toBeVisible();
  await page.getByRole('button', { name: `Remove: ${invited}` }).click();
  await expect(page.getByRole('dialog')).toContainText(`${invited} loses access`);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Members · 1')).toBeVisible();
  expect((await theirs.request.get('/api/trpc/sandbox/team.members')).status()).toBe(401);
  await other.goto('/dashboard/sandbox/team');
  await signIn(other, invited, 'correct horse battery');
  await other.getByLabel('Code').fill(theirCodes[0] ?? '');
  await other.getByRole('button', { name: 'Continue' }).click();
  await expect(
    other.getByRole('heading', { name: 'You are not on any merchant’s team' }),
  ).toBeVisible();
  await expect(other.getByText('Recovery codes left: 9.')).toBeVisible();
  await expect(other.getByText('This session').filter({ visible: true })).toBeVisible();
  await expectGood(other);
  await other.getByLabel('Current password').fill('correct horse battery');
  await other.getByLabel('New password').fill('yet another horse');
  await other.getByRole('button', { name: 'Change password' }).click();
  await expect(other.getByText('Password changed.')).toBeVisible();
  await theirs.close();

  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(
    page.getByText(`Changed the role of ${invited} from Support to Viewer`),
  ).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'Add filter: Person' }).click();
  await page.getByRole('dialog').getByRole('link', { name: invited }).click();
  await expect(page.getByText('Joined as Support')).toBeVisible();
  await expect(page.getByRole('row', { name: 'Required a second factor' })).toHaveCount(0);
  const path = '/dashboard/sandbox/audit-log/export';
  const typed = { 'Sec-Fetch-Site': 'none' };
  const file = await page.request.get(path, { headers: typed });
  expect(file.headers()['content-type']).toBe('text/csv; charset=utf-8');
  expect(await file.text()).toContain(`Removed ${invited} from the team,member.remove,user`);
  const headers = { ...typed, 'Accept-Language': 'ru' };
  const russian = await page.request.get(path, { headers });
  expect(await russian.text()).toContain(';member.remove;user;');

  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  // The browser alone would not accept an address in an input method's letters.
  const wide = shop.owner.email.replace(/[a-z@]/g, (each) =>
    String.fromCodePoint(each.charCodeAt(0) + 0xfee0),
  );
  await signIn(page, wide, shop.owner.password);
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  const code = page.getByLabel('Code');
  await expect(code).toBeFocused();
  expect((await page.request.get('/api/trpc/sandbox/team.members')).status()).toBe(401);
  await expectGood(page);
  // The same refusal occurs twice: each one returns to the field.
  for (const wrong of ['000000', 'abc']) {
    await code.fill(wrong);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(code).toHaveAccessibleDescription(/^This code is wrong.+Six digits/);
    await expect(code).toBeFocused();
    await expect(code).toHaveAttribute('aria-invalid', 'true');
  }
  const next = new TOTP({ secret }).generate({ timestamp: Date.now() + STEP_MS });
  await page
    .getByLabel('Code')
    .fill(next.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/dashboard\/sandbox/);
  expect(recoveryCodes).toHaveLength(10);
});

test('a forgotten password: the e-mail’s link sets a new one and ends every session at once', async ({
  page,
  context,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Password journey');
  await signInAt(page, owner, '/dashboard/sandbox/account');
  await expect(page.getByText('This session').filter({ visible: true })).toBeVisible();
  const probe = () => page.request.get('/api/trpc/sandbox/account.sessions');
  expect((await probe()).status()).toBe(200);

  const fresh = await context.browser()?.newContext({ baseURL: gateway.origin });
  const other = await fresh?.newPage();
  if (!fresh || !other) throw new Error('no browser');
  await other.goto('/dashboard/sign-in');
  await other.getByRole('link', { name: 'Forgot your password?' }).click();
  for (const email of ['nobody@example.com', owner.email]) {
    await other.goto('/dashboard/forgot-password');
    await other.getByLabel('Email address').fill(email);
    await other.getByRole('button', { name: 'Email me a link' }).click();
    await expect(other.getByRole('status')).toContainText('If there is an account');
  }
  await expectGood(other);
  const link = await linkFor(gateway, owner.email);
  await other.goto(link);
  await expectGood(other);
  await other.getByLabel('New password').fill('another horse battery');
  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other.getByText('Your password has been changed.')).toBeVisible();
  expect((await probe()).status()).toBe(401);
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();

  await other.goto('/dashboard/sandbox/account?lang=ru');
  await expect(other.getByRole('heading', { name: 'Вход', level: 1 })).toBeVisible();
  await expect(other.getByText('Сеанс завершён')).toHaveCount(0);
  await other.getByLabel('Адрес электронной почты').fill(owner.email);
  await other.getByLabel('Пароль').fill('another horse battery');
  await other.getByRole('button', { name: 'Войти', exact: true }).click();
  await expect(other.getByRole('heading', { name: 'Второй фактор' })).toBeVisible();
  await expectGood(other);
  for (const [screen, title] of [
    ['team', 'Команда'],
    ['audit-log', 'Журнал действий'],
  ]) {
    await other.goto(`/dashboard/sandbox/${screen}`);
    await expect(other.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expectGood(other);
  }

  await page.goto('/dashboard/sandbox/account');
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await expectGood(page);
  await signIn(page, owner.email, 'another horse battery');
  const endOthers = page.getByRole('button', { name: 'End all other sessions' });
  await endOthers.click();
  await expect(endOthers).toHaveCount(0);
  const theirs = () => fresh.request.get('/api/trpc/sandbox/account.sessions');
  expect((await theirs()).status()).toBe(401);

  await other.goto('/dashboard/sandbox/account?lang=en');
  await signIn(other, owner.email, 'another horse battery');
  await expect(other.getByText('This session').filter({ visible: true })).toBeVisible();
  await page.reload();
  await expect(endOthers).toBeVisible();
  await page.getByLabel('Current password').fill('another horse battery');
  await page.getByLabel('New password').fill('yet another horse');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed.')).toBeVisible();
  await expect(endOthers).toHaveCount(0);
  expect((await theirs()).status()).toBe(401);
  await fresh.close();
});

test('a provider lets in known people whose address it has verified, and nobody else', async ({
  page,
  gateway,
}) => {
  const { owner } = await newShop(gateway, 'Provider journey');
  const provider = await startOidcServer(gateway.oidcPort, OIDC_CLIENT_ID);
  try {
    const enter = async () => {
      await page.goto('/dashboard/sign-in?next=%2Fdashboard%2Fsandbox%2Faccount');
      await page.getByRole('button', { name: 'Continue with Journey ID' }).click();
    };
    await enter();
    await expect(
      page.getByRole('alert').filter({ hasText: 'There is no account and no invitation' }),
    ).toBeVisible();
    provider.person = { email: owner.email, email_verified: false };
    await enter();
    await expect(page.getByRole('alert').filter({ hasText: 'has not verified' })).toBeVisible();
    provider.person = { email: owner.email.toUpperCase(), email_verified: true };
    // The page of the refusal still knows the sign-in's destination.
    await page.getByRole('button', { name: 'Continue with Journey ID' }).click();
    await expect(page.getByText(`${owner.email} · Owner`)).toBeVisible();
    // next-auth leads here after a fault of ours.
    await page.goto('/api/auth/error?error=failed');
    await expect(page).toHaveURL(/\/dashboard\/sign-in\?error=failed$/);
    await expect(
      page.getByRole('alert').filter({ hasText: 'could not sign you in' }),
    ).toBeVisible();
  } finally {
    await provider.close();
  }
});
