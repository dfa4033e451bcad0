import { openPool } from '#server/db/pool.ts';
import { connectAccount } from '#server/payments/accounts/accounts.ts';
import { startStandIns } from '#server/testing/acquirers/stand-ins.ts';
import { createMerchantFixture } from '#server/testing/factories.ts';
import { gatewayUnderTest } from '../gateway.ts';
import { choose, expectPaid, hookUrlOf, payButton, press, said, uz } from './acquirer-page.ts';
import { expect, nameShop, Shop, test } from './shop.ts';

// The gateway knows the ports of the acquirers: one process at a time stands in for these two.
test.describe.configure({ mode: 'default' });
test.use({ locale: 'uz-UZ', viewport: { width: 390, height: 844 } });

const CREDENTIALS = {
  stripe: { secret_key: 'sk_test_standin', webhook_secret: 'whsec_standin' },
  // With a VAT code YooKassa makes the receipts, and demands an e-mail address for each.
  yookassa: { shop_id: '5', secret_key: 'test_standin', vat_code: '1' },
};

let shop: Shop;
let stop: () => Promise<void>;

async function connect(provider: keyof typeof CREDENTIALS): Promise<string> {
  const { id } = await connectAccount(shop.pool, {
    merchantId: shop.tenant.merchantId,
    environment: 'sandbox',
    provider,
    credentials: CREDENTIALS[provider],
    actor: { type: 'operator', id: null, label: 'journeys' },
    now: new Date(),
  });
  return hookUrlOf(provider, id);
}

test.beforeAll(async () => {
  const { databaseUrl, acquirerPorts } = gatewayUnderTest();
  const pool = openPool(databaseUrl, 2);
  const merchant = await createMerchantFixture(pool);
  await nameShop(pool, merchant.id);
  shop = new Shop(pool, merchant.sandbox.tenant, merchant.production.tenant);
  const { stripe, yookassa } = CREDENTIALS;
  const hooks = new Map([
    [stripe.secret_key, { hookUrl: await connect('stripe'), secret: stripe.webhook_secret }],
    [yookassa.shop_id, { hookUrl: await connect('yookassa'), secret: yookassa.secret_key }],
  ]);
  const ports = { ...acquirerPorts, payme: 0, click: 0, multicard: 0 };
  stop = await startStandIns(ports, { hooks, multicardSecret: '' });
});
test.afterAll(async () => {
  await stop();
  await shop.pool.end();
});

test('Stripe: declined there, its page stays one press away; then paid in dollars', async ({
  page,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await expect(page.locator('button[data-method]')).toHaveCount(1);
  await choose(page, 'stripe');
  await expect(page.getByText('$15.00')).toBeVisible();
  await press(page, 'Decline');
  const notice = page.locator('#pay-notice');
  await expect(notice).toContainText(said(uz.methods.openTitle, 'stripe'));
  await notice.getByRole('link', { name: said(uz.methods.openAction, 'stripe') }).click();
  await press(page, 'Pay');
  await expectPaid(page);
  expect([await shop.status(id), ...(await shop.attempts(id))]).toEqual(['PAID', 'captured']);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('YooKassa: an address for the receipt is asked, and a wrong one named; declined, then paid', async ({
    page,
  }) => {
    const sum = { amountMinor: 150_000, currency: 'RUB' } as const;
    const id = await shop.order({ ...sum, positions: [{ title: 'Ticket', ...sum }] });
    await page.goto(`/pay/${id}`);
    const email = page.getByLabel(uz.methods.email);
    // A browser finds no fault in an address without a point.
    await email.fill('ann@example');
    await payButton(page, 'yookassa').click();
    await expect(page.locator('#pay-notice')).toContainText(uz.methods.notices.emailWrong);
    await expect(email).toHaveValue('ann@example');
    await expect(email).toHaveAttribute('aria-invalid', 'true');
    await expect(email).toHaveAccessibleDescription(new RegExp(uz.methods.emailFault));
    expect(await shop.attempts(id)).toEqual([]);
    await email.fill('ann@example.com');
    await choose(page, 'yookassa');
    await press(page, 'Decline');
    const declined = said(uz.methods.declinedText, 'yookassa');
    await expect(page.locator('#pay-notice')).toContainText(declined);
    await expect(email).toHaveValue('ann@example.com');
    await choose(page, 'yookassa');
    await press(page, 'Pay');
    await expectPaid(page);
    expect(await shop.attempts(id)).toEqual(['declined', 'captured']);
  });
});
