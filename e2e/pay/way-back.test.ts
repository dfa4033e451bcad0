import { messagesAt } from '#server/i18n/translator.ts';
import { propertiesOf } from '#server/lib/locales.ts';
import { CARDS, expect, payWith, type Shop, test } from './shop.ts';

const en = messagesAt('en', 'pay');
const uz = messagesAt('uz', 'pay');

const GOING = 'Back to the shop in';
const ERROR = '**/error?order=1042';

const canceled = async (shop: Shop) => {
  const id = await shop.order();
  await shop.cancel(id);
  return id;
};
const CLOSED = [
  ['This order was cancelled', canceled],
  ['The time to pay has run out', (shop) => shop.order({ validMs: -1 })],
  ['Payment isn’t available yet', (shop) => shop.order({ environment: 'production' })],
] satisfies [string, (shop: Shop) => Promise<string>][];

test('an order that is closed takes the buyer to exactly the error_url by itself, unless told to stay', {
  tag: '@waits',
}, async ({ context, shop }) => {
  const isTaken = async ([title, reach]: (typeof CLOSED)[number]) => {
    const id = await reach(shop);
    // Both pages run at once: the one told to stay outlasts the other's departure.
    const staying = await context.newPage();
    await staying.goto(`/pay/${id}`);
    await staying.getByRole('button', { name: 'Stay on this page' }).click();
    const outlasted = staying.waitForTimeout(21_000);

    const page = await context.newPage();
    await page.goto(`/pay/${id}`);
    await expect(page.getByText(new RegExp(`${GOING} 1[4-9] `))).toBeVisible();
    await page.waitForURL(ERROR, { timeout: 40_000 });

    await outlasted;
    await expect(staying.getByRole('heading', { name: title })).toBeVisible();
    await staying.getByRole('link', { name: 'Back to Northwind Coffee' }).click();
    await staying.waitForURL(ERROR);
  };
  const isTakenWhileOpen = async () => {
    const id = await shop.order();
    const page = await context.newPage();
    await page.goto(`/pay/${id}`);
    await payWith(page, CARDS.generic_decline);
    await page.locator('#pay-notice').waitFor();
    await shop.cancel(id);
    await expect(page.getByText('You haven’t been charged')).toBeVisible();
    await expect(page.getByText(new RegExp(`${GOING} (1[1-9]|20) `))).toBeVisible();
    await page.waitForURL(ERROR, { timeout: 40_000 });
  };
  // All at once: each takes 20 seconds, in which it does nothing.
  await Promise.all([...CLOSED.map(isTaken), isTakenWhileOpen()]);
});

const ageBy16Min = (shop: Shop, id: string) =>
  shop.pool.query(
    `UPDATE invoices SET status_changed_at = status_changed_at - interval '16 min' WHERE id = $1`,
    [id],
  );

test('whoever comes back from the shop is not taken there again', async ({ page, shop }) => {
  // The page's time stands still, because a slow machine would be too late.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(`/pay/${await canceled(shop)}`);
  await expect(async () => {
    await page.clock.runFor(1_000);
    await expect(page.getByText(new RegExp(`${GOING} 1[1-9] `))).toBeVisible({ timeout: 200 });
  }).toPass();
  // An automated browser keeps no page for going back: this is the event of one that does.
  await page.evaluate(() =>
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await expect(page.getByText(en.returns.staying)).toBeVisible();
  await expect(page.getByText(GOING)).toHaveCount(0);
});

// The page is checked at once from here on: it tells its plan from the first moment, and afterwards
// nothing tells it any more.

test('whoever said to stay stays, after another language and a reload too', async ({
  page,
  shop,
}) => {
  await page.goto(`/pay/${await canceled(shop)}`);
  await page.getByRole('button', { name: en.returns.stay }).click();
  await page.getByRole('link', { name: propertiesOf('uz').name }).click();
  for (const again of [() => undefined, () => page.reload()]) {
    await again();
    await expect(page.getByRole('heading', { name: uz.canceled.title })).toBeVisible();
    expect(await page.getByRole('button', { name: uz.returns.stay }).count()).toBe(0);
  }
});

test('whoever has pressed a link is not taken elsewhere, whatever comes of it', async ({
  page,
  shop,
}) => {
  await page.goto(`/pay/${await shop.order()}`);
  await payWith(page, CARDS.approved);
  await expect(page.getByText(GOING)).toBeVisible();
  await page.route('**/receipt', (route) => route.fulfill({ status: 204 }));
  const receipt = page.getByRole('link', { name: en.paid.receipt });
  await receipt.click();
  // The page says so until it leaves, and nothing on the shop's page does.
  await expect(page.getByText(GOING)).toHaveCount(0);
  expect(page.url()).toContain('?stay=1');
  await page.unroute('**/receipt');
  await receipt.click();
  await page.waitForURL('**/receipt');
  await page.goBack();
  await expect(page.getByRole('heading', { name: en.paid.title })).toBeVisible();
  expect(await page.getByText(GOING).count()).toBe(0);
});

test('whoever opens a link in another tab finds this page where it was', async ({
  page,
  context,
  shop,
}) => {
  await page.goto(`/pay/${await shop.order()}`);
  await payWith(page, CARDS.approved);
  const receipt = page.getByRole('link', { name: en.paid.receipt });
  await receipt.click({ button: 'right' });
  await expect(page.getByText(GOING)).toBeVisible();
  const opened = context.waitForEvent('page');
  await receipt.click({ button: 'middle' });
  await (await opened).waitForURL('**/receipt');
  await expect(page.getByText(GOING)).toHaveCount(0);
  expect(page.url()).toContain('?stay=1');
});

test('what ended long ago, or is opened to stay, stays', async ({ page, shop }) => {
  const id = await canceled(shop);
  const heading = page.getByRole('heading', { name: 'This order was cancelled' });
  await page.goto(`/pay/${id}?stay=1`);
  await expect(heading).toBeVisible();
  expect(await page.getByText(GOING).count()).toBe(0);
  await ageBy16Min(shop, id);
  await page.goto(`/pay/${id}`);
  await expect(heading).toBeVisible();
  expect(await page.getByText(GOING).count()).toBe(0);
});
