import { messagesAt } from '#server/i18n/translator.ts';
import { CARDS, expect, nameShop, payWith, test } from './shop.ts';

const en = messagesAt('en', 'pay');

// A title that is streamed after its page is missing until then: a screen reader that arrives in
// between reads out another heading.
test('the page comes with its title', async ({ page, shop }) => {
  const answer = await page.goto(`/pay/${await shop.order()}`);
  const html = (await answer?.text()) ?? '';
  expect(html.slice(0, html.indexOf('<body'))).toContain('<title>Pay Northwind Coffee</title>');
});

test('a shop’s name that is written from right to left leaves the order of our words alone', async ({
  page,
  shop,
}) => {
  const name = 'شاي Noga';
  const shown = `\u2068${name}\u2069`;
  const { rowCount } = await shop.pool.query('UPDATE merchants SET name = $2 WHERE id = $1', [
    shop.tenant.merchantId,
    name,
  ]);
  expect(rowCount).toBe(1);
  try {
    const id = await shop.order();
    await page.goto(`/pay/${id}`);
    await expect(page).toHaveTitle(`Pay ${shown}`);
    await expect(page.getByRole('link', { name: `Back to ${shown}` })).toBeVisible();
    await payWith(page, CARDS.challenge);
    await expect(page.getByText(`to ${shown}`)).toBeVisible();
    await page.getByRole('button', { name: en.challenge.approve }).click();
    await expect(page.getByText(`You paid $15.00 to ${shown}.`)).toBeVisible();
    await expect(page.getByRole('link', { name: `Continue to ${shown}` })).toBeVisible();
    await page.goto(`/pay/${id}/receipt`);
    await expect(page).toHaveTitle(`Payment confirmation · ${shown}`);

    const canceled = await shop.order();
    await shop.cancel(canceled);
    await page.goto(`/pay/${canceled}?stay=1`);
    await expect(page.getByText(`${shown} has cancelled this order`)).toBeVisible();
  } finally {
    await nameShop(shop.pool, shop.tenant.merchantId);
  }
});
