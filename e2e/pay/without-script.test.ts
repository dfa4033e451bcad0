import { messagesAt } from '#server/i18n/translator.ts';
import { CARDS, expect, fillCard, payWith, test } from './shop.ts';

const en = messagesAt('en', 'pay');
const ru = messagesAt('ru', 'pay');

test.use({ javaScriptEnabled: false });

test('pays: decline, another card, result, receipt; a reload never pays twice', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await payWith(page, CARDS.insufficient_funds);
  await expect(page.getByText(en.declined.reasons.insufficient_funds)).toBeVisible();
  await expect(page.getByText('You haven’t been charged.')).toBeVisible();
  await page.reload();
  expect(await shop.attempts(id)).toEqual(['declined']);

  // Keyboards and password managers enter these forms, and no script reformats them.
  await fillCard(page, CARDS.approved, { expiry: '122034', code: '١٢٣' });
  await page.getByRole('button', { name: 'Pay $15.00', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await page.reload();
  expect(await shop.ledger(id)).toEqual(['authorisation', 'capture']);
  expect(page.url()).toMatch(new RegExp(`/pay/${id}$`));

  await page.getByRole('link', { name: 'Stay on this page' }).click();
  await page.getByRole('link', { name: 'View confirmation' }).click();
  await expect(page.getByText('Visa •••• 4242')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
});

test('goes on to success_url and to error_url by itself, unless told to stay', {
  tag: '@waits',
}, async ({ page, context, shop }) => {
  const paid = async () => {
    await page.goto(`/pay/${await shop.order()}`);
    await payWith(page, CARDS.approved);
    await page.waitForURL('**/success?order=1042&from=shop#done', { timeout: 40_000 });
  };
  const canceled = async () => {
    const id = await shop.order();
    await shop.cancel(id);
    const other = await context.newPage();
    await other.goto(`/pay/${id}`);
    await expect(other.locator('noscript p')).toContainText('after 24 seconds');
    await other.waitForURL('**/error?order=1042', { timeout: 40_000 });

    await other.goto(`/pay/${id}`);
    await other.getByRole('link', { name: 'Stay on this page' }).click();
    await expect(other.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible();
    await expect(other.locator('meta[http-equiv="refresh"]')).toHaveCount(0);
  };
  await Promise.all([paid(), canceled()]);
});

test('faults are named, and the card is in no answer, address, cookie or store', async ({
  page,
  context,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  // The name is too long, and not cut: its fault would stand beside an empty field.
  const name = 'Ann Buyer '.repeat(11).trim();
  await fillCard(page, '4242 4242 4242 4241', { expiry: '13/30', code: '8713', name });
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect(page.getByRole('link', { name: en.faults.number_check })).toBeVisible();
  await expect(page.getByRole('link', { name: en.faults.expiry_format })).toBeVisible();
  await expect(page.getByLabel('Name on card', { exact: true })).toHaveValue(name);
  const everything = [page.url(), await page.content(), JSON.stringify(await context.cookies())];
  for (const text of everything) expect(text).not.toMatch(/\b4241\b|13\/30|\b8713\b/);
  expect(await shop.attempts(id)).toEqual([]);
});

test('the challenge: approve, fail and leave', async ({ page, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  for (const [button, reason] of [
    ['Fail authentication', en.declined.reasons.authentication_failed],
    ['Leave without confirming', en.declined.reasons.challenge_abandoned],
  ] as const) {
    await payWith(page, CARDS.challenge);
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText(reason)).toBeVisible();
  }
  await payWith(page, CARDS.challenge);
  await page.getByRole('button', { name: 'Approve payment' }).click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect(await shop.ledger(id)).toEqual(['authorisation', 'capture']);
});

test('an address that names no invoice: 404, and a page that says so', async ({ page }) => {
  const none = `inv_${'0'.repeat(35)}`;
  for (const address of ['/pay/nonsense', `/pay/${none}`, `/pay/${none}/receipt`]) {
    expect((await page.goto(address))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: en.unknown.title })).toBeVisible();
  }
});

test('the test cards can be read, the language chosen and remembered', async ({ page, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await page.getByText('Test cards', { exact: true }).click();
  await expect(page.getByText('4000 0000 0000 9995')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Fill in/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Русский' }).click();
  await expect(page).toHaveURL(new RegExp(`/pay/${id}$`));
  await expect(page.getByLabel(ru.form.number, { exact: true })).toBeVisible();
  await page.goto(`/pay/${id}`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
});
