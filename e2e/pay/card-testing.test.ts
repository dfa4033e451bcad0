import { messagesAt } from '#server/i18n/translator.ts';
import { LOCALES } from '#server/lib/locales.ts';
import { ADDRESS_LIMIT } from '#server/payments/card-testing.ts';
import { expectAccessible } from '../accessible.ts';
import { gatewayUnderTest, startAnotherWeb } from '../gateway.ts';
import { CARDS, expect, fillCard, test } from './shop.ts';

/** The address of a thief who tries cards, and of a buyer behind the same proxy. */
const [THIEF, BUYER] = ['203.0.113.7', '203.0.113.8'];

test('who tries out cards is told how long to wait, in each language, and others pay', async ({
  page,
  shop,
  watched,
}) => {
  for (let tried = 0; tried < ADDRESS_LIMIT; tried++) {
    await shop.decline(await shop.order(), 1, THIEF);
  }
  // Concurrent journeys come from this machine's address, so a proxy gives the address here.
  const web = await startAnotherWeb(gatewayUnderTest(), { TRUSTED_PROXY_HOPS: '1' });
  const id = await shop.order();
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': THIEF });
  for (const locale of LOCALES) {
    await page.context().addCookies([{ name: 'locale', value: locale, url: web.origin }]);
    await page.goto(`${web.origin}/pay/${id}`);
    await page.locator('input[name=cardNumber]').fill(CARDS.approved);
    await page.locator('input[name=expiryDate]').fill('12/34');
    await page.locator('input[name=securityCode]').fill('123');
    await page.locator('input[name=nameOnCard]').fill('Ann Buyer');
    await page.locator('form button[type=submit]').last().click();
    const [before = '', after = ''] = messagesAt(locale, 'pay').notices.throttled.split(
      '{minutes}',
    );
    const notice = page.getByRole('alert').filter({ hasText: before.trim() });
    await expect(notice).toBeFocused();
    await expect(notice).toContainText(/\b(?:9|10)\b/);
    await expect(notice).toContainText(after.trim());
  }
  await expectAccessible(page, 'throttled');
  expect(await shop.attempts(id)).toEqual([]);
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': BUYER });
  await page.context().addCookies([{ name: 'locale', value: 'en', url: web.origin }]);
  await page.goto(`${web.origin}/pay/${id}`);
  await fillCard(page, CARDS.approved);
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect.poll(() => shop.status(id)).toBe('PAID');
  await web.stop();
  const others = watched.faults.splice(0).filter((fault) => !fault.includes(`${web.origin}/`));
  expect(others).toEqual([]);
});

test('an invoice that was tried too often in its life can no longer be paid, and says so', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await shop.decline(id, 10);
  await shop.pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at)
     SELECT id || n, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at
     FROM payment_attempts, generate_series(1, 2) n WHERE invoice_id = $1`,
    [id],
  );
  await page.goto(`/pay/${id}`);
  await expect(page.getByText('can no longer be paid')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Northwind Coffee' })).toBeVisible();
});
