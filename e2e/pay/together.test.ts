import { messagesAt } from '#server/i18n/translator.ts';
import { MAX_ATTEMPTS } from '#server/payments/card-testing.ts';
import { expectAccessible } from '../accessible.ts';
import { outdate } from './form-post.ts';
import { CARDS, expect, fillCard, payWith, test } from './shop.ts';

const en = messagesAt('en', 'pay');

const PAY = { name: 'Pay $15.00' };
const COMPLETE = { name: 'Payment complete' };

test('two tabs at once: one charge, both tabs end as paid', async ({ context, shop }) => {
  const id = await shop.order();
  const tabs = await Promise.all([context.newPage(), context.newPage()]);
  await Promise.all(tabs.map((tab) => tab.goto(`/pay/${id}?stay=1`)));
  await Promise.all(tabs.map((tab) => fillCard(tab, CARDS.approved)));
  // The buttons are pressed at once: the other tab may have paid before the page is at rest, and
  // this one would know.
  await Promise.all(tabs.map((tab) => tab.getByRole('button', PAY).dispatchEvent('click')));
  for (const tab of tabs) {
    await expect(tab.getByRole('heading', COMPLETE)).toBeVisible({ timeout: 15_000 });
  }
  expect(await shop.ledger(id)).toEqual(['authorisation', 'capture']);
});

test('a double click, a reload and the back button charge once', async ({ page, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}?stay=1`);
  await fillCard(page, CARDS.approved);
  await page.getByRole('button', PAY).dblclick();
  await expect(page.getByRole('heading', COMPLETE)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', COMPLETE)).toBeVisible();
  await page.getByRole('link', { name: 'Continue to Northwind Coffee' }).click();
  await page.waitForURL('**/success?**');
  await page.goBack();
  await expect(page.getByRole('heading', COMPLETE)).toBeVisible();
  await expect(page.getByLabel('Card number', { exact: true })).toHaveCount(0);
  expect(await shop.ledger(id)).toEqual(['authorisation', 'capture']);
});

test('the merchant cancels while the buyer types: the page says so by itself', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await page.getByLabel('Card number', { exact: true }).pressSequentially('4242 4242');
  expect(await shop.cancel(id)).toBe('canceled');
  const heading = page.getByRole('heading', { name: 'This order was cancelled' });
  await expect(heading).toBeVisible({ timeout: 15_000 });
  await expect(heading).toBeFocused();
  await expect(page.getByText('You haven’t been charged')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Northwind Coffee' }).click();
  await page.waitForURL('**/error?order=1042');
});

test('the merchant cancels just before the button is pressed: nothing is charged', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.route('**/state', () => undefined);
  await page.goto(`/pay/${id}`);
  await fillCard(page, CARDS.approved);
  await shop.cancel(id);
  await page.getByRole('button', PAY).click();
  await expect(page.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible();
  expect(await shop.ledger(id)).toEqual([]);
  await page.unroute('**/state');
});

test('a page left open changes when the invoice is paid elsewhere, and keeps what was typed until then', async ({
  page,
  context,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}?stay=1`);
  await page.getByLabel('Name on card', { exact: true }).fill('Bob');
  const other = await context.newPage();
  await other.goto(`/pay/${id}?stay=1`);
  await payWith(other, CARDS.insufficient_funds);
  await expect(page.getByText('Not enough money on this card.')).toBeVisible({
    timeout: 15_000,
  });
  await expect(page.getByLabel('Name on card', { exact: true })).toHaveValue('Bob');
  await expect(page.getByLabel('Name on card', { exact: true })).toBeFocused();
  await payWith(other, CARDS.approved);
  await expect(page.getByRole('heading', COMPLETE)).toBeVisible({ timeout: 15_000 });
});

test('time runs out: shown in the last ten minutes, then the page is expired by itself', {
  tag: '@waits',
}, async ({ page, shop }) => {
  const id = await shop.order({ validMs: 8_000 });
  await page.goto(`/pay/${id}`);
  await expect(page.getByText('Time left to pay')).toBeVisible();
  await expect(page.getByText(/^0:0\d$/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'The time to pay has run out' })).toBeVisible({
    timeout: 20_000,
  });
  expect(await shop.status(id)).toBe('EXPIRED');
});

test('leaving for the shop goes to exactly the error_url and changes nothing', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await page.getByRole('link', { name: 'Back to Northwind Coffee' }).click();
  await page.waitForURL('**/error?order=1042');
  expect(await shop.status(id)).toBe('PENDING');
});

test('what is not known of a new attempt is not told by the old one’s decline', async ({
  page,
  shop,
  context,
}) => {
  await page.goto(`/pay/${await shop.order()}`);
  await payWith(page, CARDS.generic_decline);
  const declined = page.getByRole('region', { name: en.declined.title });
  await expect(declined).toBeFocused();
  await fillCard(page, CARDS.approved);
  await context.setOffline(true);
  await page.getByRole('button', PAY).click();
  const lost = page.getByRole('alert').filter({ hasText: en.notices.lost });
  await expect(lost).toBeFocused();
  await expect(page.getByText(en.declined.notCharged)).toBeHidden();

  // The page learns of the attempt, and then tells its own decline.
  await context.setOffline(false);
  await payWith(page, CARDS.lost_card);
  await expect(page.getByText(en.declined.reasons.lost_card)).toBeVisible();
  await expect(declined).toBeFocused();
  await expect(lost).toHaveCount(0);
});

test('a lost answer gives way to what became of the attempt', async ({ page, shop }) => {
  await page.goto(`/pay/${await shop.order()}`);
  // The server acts on the request; only its answer is lost.
  let isLost = false;
  await page.route('**/pay/*', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort('internetdisconnected');
  });
  await payWith(page, CARDS.insufficient_funds);
  await expect(page.getByText(en.declined.reasons.insufficient_funds)).toBeVisible();
  await expect(page.getByText(en.notices.lost)).toHaveCount(0);
});

test('a page of before an update of the gateway says so, and pays once it is loaded again', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  await outdate(page);
  await payWith(page, CARDS.approved);
  const notice = page.getByRole('alert').filter({ hasText: en.notices.outdated });
  await expect(notice).toBeFocused();
  await expectAccessible(page);
  expect(await shop.attempts(id)).toEqual([]);
  // Nothing was sent, and no typed text is lost.
  await expect(page.getByLabel('Name on card', { exact: true })).toHaveValue('Ann Buyer');
  await expect(page.getByLabel('Card number', { exact: true })).toHaveValue(CARDS.approved);
  await page.unroute('**/pay/**');
  await notice.getByRole('link', { name: en.notices.reload }).click();
  await expect(notice).toHaveCount(0);
  await payWith(page, CARDS.approved);
  await expect(page.getByRole('heading', COMPLETE)).toBeVisible();
});

test('the last of ten attempts waits at the bank: no eleventh, but the way there', async ({
  page,
  context,
  shop,
}) => {
  const id = await shop.order();
  await shop.decline(id, MAX_ATTEMPTS - 1);
  const other = await context.newPage();
  // A refusal would be an error of the page, so the request is never answered.
  await other.route('**/state', () => undefined);
  for (const tab of [page, other]) await tab.goto(`/pay/${id}`);
  await payWith(page, CARDS.challenge);
  await page.waitForURL(/challenge/);

  await payWith(other, CARDS.approved);
  await expect(other.getByRole('heading', { name: en.tooMany.title })).toBeFocused();
  await expect(other.getByLabel('Card number', { exact: true })).toHaveCount(0);
  await other.getByRole('link', { name: en.openChallenge.action }).click();
  await other.getByRole('button', { name: 'Approve payment' }).click();
  await expect(other.getByRole('heading', COMPLETE)).toBeVisible();
  expect(await shop.attempts(id)).toHaveLength(MAX_ATTEMPTS);
});

test('how long a page has been open does not make a card expire', async ({ page, shop }) => {
  const id = await shop.order({ validMs: 400 * 24 * 3_600_000 });
  await page.clock.install();
  await page.goto(`/pay/${id}`);
  await page.getByText('Test payment').waitFor();
  await page.clock.fastForward(60 * 24 * 3_600_000);
  await payWith(page, CARDS.generic_decline);
  await expect(page.getByRole('region', { name: en.declined.title })).toBeFocused();
  const now = new Date();
  const expiry = `${now.getUTCMonth() + 1}/${now.getUTCFullYear()}`;
  await fillCard(page, CARDS.approved, { expiry });
  await page.getByRole('button', PAY).click();
  await expect(page.getByRole('heading', COMPLETE)).toBeVisible();
});
