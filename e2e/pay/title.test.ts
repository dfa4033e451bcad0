import { expect, test } from './shop.ts';

// A title that is streamed after its page is missing for as long as that takes: a screen reader
// that comes to the page in between reads out another heading instead.
test('the page comes with its title', async ({ page, shop }) => {
  const answer = await page.goto(`/pay/${await shop.order()}`);
  const html = (await answer?.text()) ?? '';
  expect(html.slice(0, html.indexOf('<body'))).toContain('<title>Pay Northwind Coffee</title>');
});
