import { expect } from '@playwright/test';
import { expectGood, setUpSecondFactor, signIn } from '../dashboard/person.ts';
import { test } from '../fixtures.ts';
import { startAnotherWeb } from '../gateway.ts';
import { newOperator } from './as-operator.ts';

// Each journey has axe look at whole screens in both themes.
test.slow();

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
