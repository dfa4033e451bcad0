import { expect } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { recordCheck } from '#server/merchants/acquirer-accounts.ts';
import { connectAccount } from '#server/payments/accounts/accounts.ts';
import { createMerchantFixture } from '#server/testing/factories.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { insertAccountAttempt } from '#server/testing/payments.ts';
import { expectAccessible } from '../accessible.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { openAsOperator } from './as-operator.ts';

// Axe looks at whole screens.
test.slow();

/** A merchant whose payment at Click has been reserved for 47 minutes; its invoice's id. */
async function insertOverdue({ databaseUrl }: GatewayUnderTest, name: string): Promise<string> {
  const pool = openPool(databaseUrl, 1);
  const now = new Date();
  const merchant = await createMerchantFixture(pool);
  await pool.query('UPDATE merchants SET name = $2 WHERE id = $1', [merchant.id, name]);
  const account = await connectAccount(pool, {
    merchantId: merchant.id,
    environment: 'production',
    provider: 'click',
    credentials: { merchant_id: '1', service_id: '2', merchant_user_id: '3', secret_key: 'key' },
    actor: { type: 'operator', id: null, label: 'journeys' },
    now,
  });
  await recordCheck(pool, account.id, { code: 'credentials_refused', detail: '401' }, now);
  const endDateMs = now.getTime() + 3_600_000;
  const { tenant } = merchant.production;
  const invoiceId = await createTestInvoice(pool, tenant, { now, endDateMs });
  await insertAccountAttempt(pool, {
    invoiceId,
    account,
    status: 'capturing',
    createdAt: new Date(now.getTime() - 47 * 60_000),
    // A worker ignores a time further ahead.
    recoverAt: new Date(now.getTime() + 10 * 60_000),
    held: { acquirerId: '13831052', paymentNumber: '1946296773' },
  });
  await pool.end();
  return invoiceId;
}

test('an operator sees which payments an acquirer leaves open, and what it said last', async ({
  page,
  gateway,
}) => {
  const name = `Tea house ${crypto.randomUUID().slice(0, 8)}`;
  const invoiceId = await insertOverdue(gateway, name);
  await openAsOperator(page, gateway, '/operator/overview');
  const causes = page.getByRole('region', { name: 'Needs attention', exact: true });
  const cause = causes.getByRole('listitem').filter({ hasText: name });
  await cause.getByRole('link', { name: /open too long/ }).click();
  await expect(page.getByRole('heading', { name: 'Acquirers', exact: true })).toBeVisible();

  const account = page.locator('[id^="paymentsOverdue-"]').filter({ hasText: name });
  await expect(account).toContainText('1 payment open for 47 min');
  await expect(account).toContainText('the acquirer rejects these credentials (401)');
  const invoice = account.getByRole('link', { name: invoiceId });
  await expect(invoice).toBeHidden();
  await account.locator('summary', { hasText: 'Show the payment' }).focus();
  await page.keyboard.press('Enter');
  await expect(invoice).toBeVisible();
  await expect(account).toContainText('13831052 · 1946296773');
  await expectAccessible(page);

  // An operator who acts for nobody is led to the invoice's merchant.
  await invoice.click();
  await page.waitForURL((url) => url.pathname === '/operator/merchants');
  await expect(page.getByRole('link', { name })).toBeVisible();
});
