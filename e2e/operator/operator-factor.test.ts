import { expect } from '@playwright/test';
import { expectGood, setUpSecondFactor, signIn } from '../dashboard/person.ts';
import { test } from '../fixtures.ts';
import { startAnotherWeb } from '../gateway.ts';
import { newOperator, openAsOperator } from './as-operator.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

test('an operator without a second factor is told so on every page, until it is set up', async ({
  page,
  gateway,
}) => {
  await openAsOperator(page, gateway, '/operator/merchants');
  const banner = page.getByRole('region', { name: 'Your second factor is off' });
  await expect(banner).toBeVisible();
  await expectGood(page);
  await banner.getByRole('link', { name: 'Set it up' }).click();
  await page.waitForURL(/\/operator\/account/);
  await expect(banner).toBeVisible();
  await setUpSecondFactor(page, 'correct horse battery');
  await expect(banner).toHaveCount(0);
  await page.goto('/operator/overview');
  await expect(page.getByText('Callbacks due now')).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('where the gateway demands one, the operator’s pages open once it is set up', async ({
  page,
  gateway,
}) => {
  const { origin, stop } = await startAnotherWeb(gateway, { OPERATOR_SECOND_FACTOR: 'required' });
  try {
    const { email, password } = await newOperator(gateway);
    await page.goto(`${origin}/operator/merchants?q=journey+shop`);
    await signIn(page, email, password);
    await page.waitForURL(/\/dashboard\/second-factor\?/);
    await expect(page.getByText('requires a second factor of its operators')).toBeVisible();
    await expectGood(page);
    await page.goto(`${origin}/operator/account`);
    await page.waitForURL(/\/dashboard\/second-factor\?/);
    await page.goto(`${origin}/operator/merchants?q=journey+shop`);
    await setUpSecondFactor(page, password);
    await page.waitForURL(`${origin}/operator/merchants?q=journey+shop`);
    await expect(page.getByRole('table')).toContainText('Journey shop');
    await page.goto(`${origin}/operator/account`);
    await expect(page.getByText('You cannot turn it off: this gateway requires')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Turn off' })).toHaveCount(0);
    await expectGood(page);
  } finally {
    await stop();
  }
});
