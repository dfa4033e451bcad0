import { LOCALE_NAMES, LOCALES } from '#app/_i18n/locales.ts';
import { siteMessages } from '#app/_i18n/site-messages.ts';
import { payMessages } from '#app/pay/_i18n/messages.ts';
import { CARDS, expect, faultSummary, test } from './shop.ts';

const SPOKEN = [
  { locale: 'ru', button: 'Оплатить 1 500,00 ₽', currency: 'RUB' },
  { locale: 'uz', button: '1 500,00 soʻm toʻlash', currency: 'UZS' },
] as const;

for (const { locale, button, currency } of SPOKEN) {
  test.describe(locale, () => {
    test.use({ locale });

    test('the browser’s language is spoken, faults and declines included', async ({
      page,
      shop,
    }) => {
      const t = payMessages(locale);
      const positions = [{ title: 'Чай', amountMinor: 150_000, currency }];
      const id = await shop.order({ amountMinor: 150_000, currency, positions });
      await page.goto(`/pay/${id}?stay=1`);
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      const pay = page.getByRole('button', { name: button });
      await pay.click();
      await expect(faultSummary(page)).toContainText(t.faults.securityCode_missing);
      const fill = async (number: string) => {
        await page.getByLabel(t.form.number, { exact: true }).fill(number);
        await page.getByLabel(t.form.expiry, { exact: true }).fill('12/34');
        await page.getByLabel(t.form.securityCode, { exact: true }).fill('123');
        await page.getByLabel(t.form.name, { exact: true }).fill('Алишер');
        await pay.click();
      };
      await fill(CARDS.lost_card);
      await expect(page.getByText(t.declined.reasons.lost_card)).toBeVisible();
      await fill(CARDS.approved);
      await expect(page.getByRole('heading', { name: t.paid.title })).toBeVisible();
    });
  });
}

test('the front page and an address with nothing behind it are titled in their language', async ({
  page,
}) => {
  for (const locale of LOCALES) {
    for (const path of ['/', '/nothing-here']) {
      await page.goto(`${path}?lang=${locale}`);
      await expect(page.locator('html')).toHaveAttribute('lang', locale);
      await expect(page).toHaveTitle(siteMessages(locale).front.title);
    }
  }
});

test('the selector is in sight, changes the language and is remembered', async ({ page, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}?stay=1`);
  const selector = page.getByRole('navigation', { name: 'Language' });
  await expect(selector).toBeInViewport();
  await selector.getByRole('link', { name: LOCALE_NAMES.uz }).click();
  await expect(page).toHaveURL(/\?stay=1$|\/pay\/inv_[0-9a-z]+$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'uz');
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'locale');
  expect(cookie).toMatchObject({ value: 'uz', httpOnly: true, sameSite: 'Lax' });
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'uz');
});

test.describe('a language that the page does not speak', () => {
  test.use({ locale: 'de' });

  test('gets the merchant’s, and the page says which that is', async ({ page, shop }) => {
    const setLocale = (locale: string) =>
      shop.pool.query('UPDATE merchants SET default_locale = $2 WHERE id = $1', [
        shop.tenant.merchantId,
        locale,
      ]);
    const id = await shop.order();
    await setLocale('uz');
    await page.goto(`/pay/${id}`);
    await expect(page.getByText(payMessages('uz').form.title)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'uz');
    await setLocale('en');
    await page.goto('/docs');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });
});

test('on a phone the names of the languages are short to see, whole to hear, and beside the shop’s', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/pay/${await shop.order()}`);
  const russian = page.getByRole('link', { name: LOCALE_NAMES.ru, exact: true });
  const [name, link] = [
    await page.getByText('Northwind Coffee', { exact: true }).first().boundingBox(),
    await russian.boundingBox(),
  ];
  expect((link?.y ?? 0) < (name?.y ?? 0) + (name?.height ?? 0)).toBe(true);
  await russian.click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
});
