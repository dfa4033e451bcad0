import type { Page } from '@playwright/test';
import { messagesAt } from '#server/i18n/translator.ts';
import { gatewayUnderTest } from '../gateway.ts';
import { CARDS, expect, faultSummary, fillCard, payWith, test } from './shop.ts';

const en = messagesAt('en', 'pay');

// Each decline with the fields that the script keeps: all the right ones if the same card may work.
const DECLINES = [
  ['generic_decline', []],
  ['insufficient_funds', []],
  ['lost_card', []],
  ['expired_card', ['Card number']],
  ['incorrect_cvc', ['Card number', 'Expiry date']],
  ['processing_error', ['Card number', 'Expiry date']],
] as const;
// This zone is far from the shop's, which is five hours before UTC.
test.use({ timezoneId: 'Asia/Tokyo' });

const SECRETS = ['Card number', 'Expiry date', 'Security code'] as const;

test('each decline says why, that nothing was charged and what to type anew; then another card pays', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  for (const [reason, kept] of DECLINES) {
    await payWith(page, CARDS[reason]);
    const banner = page.getByRole('region', { name: en.declined.title });
    await expect(banner).toContainText(en.declined.reasons[reason]);
    await expect(banner).toContainText(CARDS[reason].slice(-4));
    await expect(banner).toContainText('You haven’t been charged.');
    await expect(banner).toBeFocused();
    for (const label of SECRETS) {
      const stays = (kept as readonly string[]).includes(label);
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(stays ? /\d/ : '');
    }
    await expect(page.getByLabel('Name on card', { exact: true })).toHaveValue('Ann Buyer');
    expect(await shop.status(id)).toBe('PENDING');
  }
  await payWith(page, CARDS.mastercard);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused();
  expect(await shop.status(id)).toBe('PAID');
  expect(await shop.ledger(id)).toEqual(['authorisation', 'capture']);
});

test('a paid buyer is taken back to exactly the success_url by itself, unless told to stay', {
  tag: '@waits',
}, async ({ page, context, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await payWith(page, CARDS.approved);
  await expect(page.getByText('Back to the shop in')).toBeVisible();
  // Both pages run at once: the one told to stay outlasts the other's departure.
  const staying = await context.newPage();
  await staying.goto(`/pay/${id}`);
  await staying.getByRole('button', { name: 'Stay on this page' }).click();
  const outlasted = staying.waitForTimeout(21_000);
  await page.waitForURL('**/success?order=1042&from=shop#done', { timeout: 30_000 });

  await outlasted;
  await expect(staying.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await staying.getByRole('link', { name: 'Continue to Northwind Coffee' }).click();
  await staying.waitForURL('**/success?order=1042&from=shop#done');
});

test('the slow card: no second payment while it is processed, and the page finishes by itself, with and without script', {
  tag: '@waits',
}, async ({ page, browser, shop }) => {
  // The acquirer takes 40 s for each, so both wait at the same time.
  const plain = await browser.newPage({ javaScriptEnabled: false });
  const plainId = await shop.order();
  await plain.goto(`${gatewayUnderTest().origin}/pay/${plainId}`);
  await payWith(plain, CARDS.slow);
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await payWith(page, CARDS.slow);
  await expect(page.getByRole('button', { name: 'Paying…' })).toBeDisabled();
  await expect(page.getByText('This is taking longer than usual')).toBeVisible({ timeout: 8_000 });
  const processing = { name: en.processing.title };
  await expect(page.getByRole('heading', processing)).toBeFocused({ timeout: 15_000 });
  await expect(plain.getByRole('heading', processing)).toBeVisible({ timeout: 20_000 });
  expect(await shop.attempts(plainId)).toEqual(['authorising']);
  await page.reload();
  await expect(page.getByText('Please don’t pay again.')).toBeVisible();
  await expect(page.getByText(en.summary.payBy)).toHaveCount(0);
  await expect(page.getByRole('region', { name: en.qr.title })).toHaveCount(0);
  // Both are checked at once, because each leaves for the shop seconds later.
  const complete = (each: Page) => each.getByRole('heading', { name: 'Payment complete' });
  await Promise.all(
    [page, plain].map((each) => expect(complete(each)).toBeVisible({ timeout: 60_000 })),
  );
  expect(await shop.ledger(id)).toEqual(['authorisation', 'capture']);
  expect(await shop.ledger(plainId)).toEqual(['authorisation', 'capture']);
  await plain.close();
});

test('a card that is no test card is refused before anything is stored', async ({ page, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await payWith(page, '4111 1111 1111 1111');
  await expect(faultSummary(page)).toContainText('Use a test card');
  await expect(faultSummary(page)).toBeFocused();
  expect(await shop.attempts(id)).toEqual([]);
});

test('a test card is filled in at a click', async ({ page, shop }) => {
  await page.goto(`/pay/${await shop.order()}`);
  await page.getByText('Test cards', { exact: true }).click();
  await page.getByRole('button', { name: 'Fill in 5555 5555 5555 4444' }).click();
  await expect(page.getByLabel('Card number', { exact: true })).toHaveValue('5555 5555 5555 4444');
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
});

test('a test payment asks for a test card where one can be entered, and nowhere else', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  const banner = page.getByRole('complementary', { name: en.sandbox.banner, exact: true });
  await expect(banner).toHaveText(/No real money is charged\. Use a test card\.$/);
  await shop.cancel(id);
  await page.goto(`/pay/${id}?stay=1`);
  await expect(page.getByRole('heading', { name: en.canceled.title })).toBeVisible();
  await expect(banner).toHaveText(/No real money is charged\.$/);
});

test('faults stand beside their fields and in a summary that gets the focus', async ({
  page,
  shop,
}) => {
  await page.goto(`/pay/${await shop.order()}`);
  const pay = page.getByRole('button', { name: 'Pay $15.00' });
  const summary = faultSummary(page);
  // The focus is still in the field, whose message must not move the button away from the press.
  await page.getByLabel('Card number', { exact: true }).fill('4242 4242 4242 4241');
  await pay.click();
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveCount(4);
  await fillCard(page, '4242 4242 4242 4241', { expiry: '13/30', code: '1', name: '' });
  await pay.click();
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText([
    en.faults.number_check,
    en.faults.expiry_format,
    en.faults.securityCode_format,
    en.faults.name_missing,
  ]);
  const number = page.getByLabel('Card number', { exact: true });
  await expect(number).toHaveAccessibleDescription(en.faults.number_check);
  await expect(number).toHaveAttribute('aria-invalid', 'true');
  await summary.getByRole('link', { name: en.faults.name_missing }).click();
  await expect(page.getByLabel('Name on card', { exact: true })).toBeFocused();
  // A fault disappears as soon as it is mended.
  await number.fill('4242424242424242');
  await expect(number).not.toHaveAttribute('aria-invalid');
  await expect(number).toHaveValue('4242 4242 4242 4242');
});

test('the fields bring up the right keyboards and take what a browser fills in', async ({
  page,
  shop,
}) => {
  await page.goto(`/pay/${await shop.order()}`);
  const attributes = (label: string) =>
    page
      .getByLabel(label, { exact: true })
      .evaluate((input: HTMLInputElement) => [input.autocomplete, input.inputMode]);
  expect(await attributes('Card number')).toEqual(['cc-number', 'numeric']);
  expect(await attributes('Expiry date')).toEqual(['cc-exp', 'numeric']);
  expect(await attributes('Security code')).toEqual(['cc-csc', 'numeric']);
  expect(await attributes('Name on card')).toEqual(['cc-name', '']);
});

test('too many attempts end in a plain word that says when to go on, not in an error', async ({
  page,
  shop,
}) => {
  const firstMs = Date.now() - 240_000;
  const tried = async (validMs: number) => {
    const id = await shop.order({ validMs });
    await shop.pool.query(
      `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
         card_brand, card_last4, decline_reason, created_at, updated_at)
       SELECT 'pay_' || $1 || n, $1, 'declined', 'sandbox', 1500, 'USD', 'visa', '0002',
         'generic_decline', $2, $2 FROM generate_series(1, 10) n`,
      [id, new Date(firstMs)],
    );
    await page.goto(`/pay/${id}`);
    await expect(page.getByRole('heading', { name: en.tooMany.title })).toBeVisible();
    // The buyer can pay here again after a while.
    await expect(page.getByText('You’ll be taken back to the shop')).toHaveCount(0);
  };
  await tried(3_600_000);
  const shownMs = Math.ceil((firstMs + 600_000) / 60_000) * 60_000;
  const [, minutes = ''] = new Date(shownMs).toISOString().split(':');
  await expect(
    page.getByText(new RegExp(`you can try again at \\d\\d:${minutes} GMT\\+9`)),
  ).toBeVisible();
  await expect(page.getByText('Pay by')).toBeVisible();

  await tried(300_000);
  await expect(page.getByText(en.tooMany.over)).toBeVisible();
  await expect(page.getByText(/Pay by|Time left to pay/)).toHaveCount(0);
});
