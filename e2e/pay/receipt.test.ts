import { readPdf } from '#server/testing/read-pdf.ts';
import { CARDS, expect, payWith, test } from './shop.ts';

test('a paid invoice has a receipt: page, PDF and paper', async ({ page, request, shop }) => {
  const id = await shop.order({ merchantTransactionId: `order-1042-${Date.now()}` });
  await page.goto(`/pay/${id}?stay=1`);
  await payWith(page, CARDS.mastercard);
  await page.getByRole('link', { name: 'View confirmation' }).click();
  await page.waitForURL(`**/pay/${id}/receipt`);
  const article = page.getByRole('article');
  await expect(article).toContainText('$15.00');
  await expect(article).toContainText('Northwind Coffee');
  await expect(article).toContainText('Mastercard •••• 4444');
  await expect(article).toContainText(/\d+ \w+ \d{4} at \d\d:\d\d \(Asia\/Tashkent, GMT\+5\)/);
  await expect(article).toContainText(id);
  await expect(article).toContainText(/sbx_[0-9a-z]{35}/);
  await expect(article).toContainText('Paper filters, 100 pieces');
  await expect(article).toContainText('Discount');
  await expect(article).toContainText('Test payment: no real money was charged');

  const { rows } = await shop.pool.query<{ extra_data: string }>(
    'SELECT extra_data FROM invoices WHERE id = $1',
    [id],
  );
  expect(JSON.parse(rows[0]?.extra_data ?? '{}')).toMatchObject({ receipt_url: page.url() });

  const answer = await request.get(`/pay/${id}/receipt/pdf`);
  expect(answer.headers()['content-type']).toBe('application/pdf');
  const pdf = await readPdf(await answer.body());
  expect(pdf).toMatchObject({ pages: 1, title: 'Payment confirmation · Northwind Coffee' });
  expect(pdf.text).toContain('Paper filters, 100 pieces');

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('link', { name: 'Download PDF' })).toBeHidden();
  await expect(page.getByText('Test payment', { exact: true })).toBeHidden();
  await expect(article).toBeVisible();
});

test('an order number is drawn sign by sign, as the shop wrote it', async ({ page, shop }) => {
  const id = await shop.order({ merchantTransactionId: `a->b-${Date.now()}` });
  await shop.pay(id);
  await page.goto(`/pay/${id}/receipt`);
  await page.evaluate(() => document.fonts.ready);
  const order = page.getByText(/^a->b/);
  const width = () => order.evaluate((element) => element.getBoundingClientRect().width);
  const drawn = await width();
  // An arrow in place of the two signs would have another width.
  await order.evaluate((element) => {
    element.style.fontVariantLigatures = 'none';
  });
  expect(await width()).toBe(drawn);
});

test('no number of an amount is broken on a phone, however long the titles are', async ({
  page,
  shop,
}) => {
  const sum = { amountMinor: Number.MAX_SAFE_INTEGER, currency: 'UZS' } as const;
  const positions = [{ title: 'Билет в первый ряд партера, '.repeat(10), ...sum }];
  const id = await shop.order({ ...sum, positions });
  await shop.pay(id);
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto(`/pay/${id}/receipt?lang=ru`);
  await page.evaluate(() => document.fonts.ready);
  const amounts = page.getByRole('cell').filter({ hasText: /сум/ });
  await expect(amounts).toHaveCount(2);
  for (const amount of await amounts.all()) {
    const lines = await amount.evaluate((cell) => {
      const text = cell.firstChild as Text;
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, text.data.lastIndexOf(',') + 3);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines).toBe(1);
  }
});

test('an invoice that is not paid has none', async ({ page, request, shop }) => {
  const id = await shop.order();
  expect((await request.get(`/pay/${id}/receipt/pdf`)).status()).toBe(404);
  await page.goto(`/pay/${id}/receipt`);
  await expect(page).toHaveURL(new RegExp(`/pay/${id}$`));
});

for (const locale of ['ru', 'uz'] as const) {
  test(`the PDF shows what was ordered, in whatever script: ${locale}`, async ({
    page,
    context,
    shop,
  }) => {
    const description = 'Заказ ☕ 漢字 ყავა oʻzbek';
    const id = await shop.order({ description });
    await page.goto(`/pay/${id}?stay=1`);
    await payWith(page, CARDS.approved);
    await page.getByRole('link', { name: 'View confirmation' }).waitFor();
    await context.addCookies([{ name: 'locale', value: locale, url: page.url() }]);
    const answer = await context.request.get(`/pay/${id}/receipt/pdf`);
    expect(answer.status()).toBe(200);
    const { title, language, text } = await readPdf(await answer.body());
    expect(title).toContain('Northwind Coffee');
    expect(language).toBe(locale);
    expect(text).toContain(description);
  });
}
