import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import { LOCALES, propertiesOf } from '#server/lib/locales.ts';
import { CARDS, expect, faultSummary, fillCard, payWith, test } from './shop.ts';

const SPOKEN = [
  { locale: 'ru', button: 'Оплатить 1 500 ₽', currency: 'RUB' },
  { locale: 'uz', button: '1 500 soʻm toʻlash', currency: 'UZS' },
] as const;

for (const { locale, button, currency } of SPOKEN) {
  test.describe(locale, () => {
    test.use({ locale });

    test('the browser’s language is spoken, faults and declines included', async ({
      page,
      shop,
    }) => {
      const t = messagesAt(locale, 'pay');
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
      await expect(page).toHaveTitle(messagesAt(locale, 'site.front').title);
    }
  }
});

test('the selector is in sight, changes the language and is remembered', async ({ page, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}?stay=1`);
  const selector = page.getByRole('navigation', { name: 'Language' });
  await expect(selector).toBeInViewport();
  await selector.getByRole('link', { name: propertiesOf('uz').name }).click();
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
    await expect(page.getByText(messagesAt('uz', 'pay').form.title)).toBeVisible();
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
  const russian = page.getByRole('link', { name: propertiesOf('ru').name, exact: true });
  const [name, link] = [
    await page.getByText('Northwind Coffee', { exact: true }).first().boundingBox(),
    await russian.boundingBox(),
  ];
  expect((link?.y ?? 0) < (name?.y ?? 0) + (name?.height ?? 0)).toBe(true);
  await russian.click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
});

test('what is typed stays when the language is changed, here alone, and the focus with it', async ({
  page,
  shop,
  watched,
}) => {
  const [en, ru] = [messagesAt('en', 'pay'), messagesAt('ru', 'pay')];
  const path = `/pay/${await shop.order()}?stay=1`;
  await page.goto(path);
  const { href } = new URL(page.url());
  // The script is there once it finds faults.
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect(faultSummary(page)).toBeFocused();
  await fillCard(page, '4242 4242 4', { code: '' });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  const languages = page.getByRole('navigation').filter({ hasText: propertiesOf('uz').name });
  const russian = languages.getByRole('link', { name: propertiesOf('ru').name });
  await russian.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  await expect(page).toHaveTitle(
    translatorOf('ru', 'pay')('pageTitle', { merchant: 'Northwind Coffee' }),
  );
  await expect(russian).toBeFocused();
  await expect(russian).toHaveAttribute('aria-current', 'true');
  const field = (name: 'number' | 'expiry' | 'securityCode' | 'name') =>
    page.getByLabel(ru.form[name], { exact: true });
  await expect(field('number')).toHaveValue('4242 4242 4');
  await expect(field('expiry')).toHaveValue('12 / 34');
  await expect(field('name')).toHaveValue('Ann Buyer');
  await expect(page.getByText(ru.faults.securityCode_missing).first()).toBeVisible();
  // The payment has not changed, so nothing is announced.
  for (const status of await page.getByRole('status').all()) await expect(status).toBeEmpty();
  expect(page.url()).toBe(href);
  expect(sent.join()).not.toMatch(/4242|Ann Buyer/);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept + (await page.evaluate(() => document.cookie))).not.toMatch(/4242|Ann Buyer/);

  // The database is down: the form stays as it is, and is in English afterwards.
  await page.route('**/state', (route) => route.fulfill({ status: 503, json: { version: null } }));
  const refused = page.waitForResponse((answer) => answer.status() === 503);
  await languages.getByRole('link', { name: propertiesOf('en').name }).click();
  await refused;
  await expect(field('number')).toHaveValue('4242 4242 4');
  await page.unroute('**/state');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByText(en.faults.securityCode_missing).first()).toBeVisible();
  await expect(page.getByLabel(en.form.number, { exact: true })).toHaveValue('4242 4242 4');
  await payWith(page, CARDS.approved);
  await expect(page.getByRole('heading', { name: en.paid.title })).toBeVisible();
  // The browser itself reports each 503.
  expect(watched.faults.splice(0).filter((fault) => !fault.includes('503'))).toEqual([]);
});

test('what was said in one language does not stay in another', async ({ page, shop }) => {
  const [en, ru] = [messagesAt('en', 'pay'), messagesAt('ru', 'pay')];
  await page.goto(`/pay/${await shop.order()}?stay=1`);
  await payWith(page, CARDS.lost_card);
  await expect(page.getByText(en.declined.reasons.lost_card)).toBeVisible();
  const said = page.getByRole('status').filter({ hasText: en.declined.title });
  await expect(said).toHaveCount(1);
  await page.getByRole('link', { name: propertiesOf('ru').name }).click();
  await expect(page.getByText(ru.declined.reasons.lost_card)).toBeVisible();
  for (const status of await page.getByRole('status').all()) await expect(status).toBeEmpty();
});

test('a page stays in its language unless another is chosen, and true beside a gateway that names none @waits', async ({
  page,
  shop,
}) => {
  const uz = messagesAt('uz', 'pay');
  const id = await shop.order();
  // An app's window may send a language only when it opens a page.
  await page.route('**/pay/*', async (route) => {
    const headers = { ...route.request().headers(), 'accept-language': 'uz' };
    await route.continue({ headers });
  });
  const looks: number[] = [];
  await page.route('**/state', async (route) => {
    const answer = await route.fetch();
    looks.push(answer.status());
    await route.fulfill({ response: answer });
  });
  await page.goto(`/pay/${id}?stay=1`);
  await expect(() => expect(looks.length).toBeGreaterThan(1)).toPass();
  await expect(page.getByText(uz.form.title)).toBeVisible();
  // The answer is that of the version before.
  await page.route('**/state', async (route) => {
    const { version } = await (await route.fetch()).json();
    await route.fulfill({ json: { version } });
  });
  await shop.cancel(id);
  await expect(page.getByRole('heading', { name: uz.canceled.title })).toBeVisible();
});
