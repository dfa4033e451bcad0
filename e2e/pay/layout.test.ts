import type { Locator, Page } from '@playwright/test';
import { messagesAt } from '#server/i18n/translator.ts';
import { LOCALES, type Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { connectAccount } from '#server/payments/accounts/accounts.ts';
import { createMerchantFixture } from '#server/testing/factories.ts';
import { gatewayUnderTest } from '../gateway.ts';
import { holdRequests } from '../held-requests.ts';
import { CARDS, expect, fillCard, Shop, test } from './shop.ts';

// Each journey looks at many pages.
test.slow();

/** The text of an element, line by line as rendered. */
async function linesOf(place: Locator): Promise<string[]> {
  await place.evaluate(() => document.fonts.ready);
  return await place.evaluate((element) => {
    const text = element.firstChild ?? element;
    const range = document.createRange();
    const lines: string[] = [];
    let top = Number.NaN;
    [...(text.textContent ?? '')].forEach((character, at) => {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const box = range.getBoundingClientRect();
      // The blank at a line break has no box.
      if (box.width > 0 && box.top !== top) {
        top = box.top;
        lines.push('');
      }
      lines.push((lines.pop() ?? '') + character);
    });
    return lines.map((line) => line.trim().replace(/\s/g, ' '));
  });
}

async function speak(page: Page, locale: Locale): Promise<void> {
  await page
    .context()
    .addCookies([{ name: 'locale', value: locale, url: gatewayUnderTest().origin }]);
}

const SMALL_PHONE = { width: 360, height: 640 };
/** What is a flick further down than the first screen. */
const A_FLICK = 1.3;

async function bottomOf(button: Locator): Promise<number> {
  const box = await button.boundingBox();
  return box ? box.y + box.height : Number.NaN;
}

/** An invoice of one position in soums, with the longest words. */
async function orderFor(shop: Shop, amountMinor: number): Promise<string> {
  const currency = 'UZS';
  const positions = [{ title: 'Beans', amountMinor, currency } as const];
  return await shop.order({ amountMinor, currency, positions });
}

test.describe('on a small phone', () => {
  // It starts with the order's details folded.
  const userAgent = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile';
  test.use({ viewport: SMALL_PHONE, userAgent });

  test('the button that pays is on the first screen', async ({ page, shop }) => {
    const id = await shop.order();
    for (const locale of LOCALES) {
      await speak(page, locale);
      await page.goto(`/pay/${id}`);
      await page.evaluate(() => document.fonts.ready);
      const pay = page.locator('#payment form button[type=submit]');
      expect(await bottomOf(pay), locale).toBeLessThanOrEqual(SMALL_PHONE.height);
    }
  });

  test('each of several ways to pay is a flick away at most', async ({ page, shop }) => {
    const merchant = await createMerchantFixture(shop.pool);
    const own = new Shop(shop.pool, merchant.sandbox.tenant, merchant.production.tenant);
    const common = {
      merchantId: merchant.id,
      environment: 'sandbox',
      actor: { type: 'operator', id: null, label: 'journeys' },
      now: new Date(),
    } as const;
    const payme = { merchant_id: '587f72c72cac0d162c722ae4', key: 'known to both' };
    await connectAccount(shop.pool, { ...common, provider: 'payme', credentials: payme });
    const id = await orderFor(own, 1_500_000_00);
    for (const locale of LOCALES) {
      await speak(page, locale);
      await page.goto(`/pay/${id}`);
      await page.evaluate(() => document.fonts.ready);
      const buttons = page.locator('#payment form button[type=submit]');
      await expect(buttons).toHaveCount(2);
      expect(await bottomOf(buttons.first()), locale).toBeLessThanOrEqual(SMALL_PHONE.height);
      expect(await bottomOf(buttons.last()), locale).toBeLessThanOrEqual(
        SMALL_PHONE.height * A_FLICK,
      );
    }
  });
});

test('a large amount is whole on a phone, and one that is too long is broken at its currency', async ({
  page,
  shop,
}) => {
  const widths = [360, 390, 1024];
  for (const [amountMinor, isLong] of [
    [1_500_000_000, false],
    [2 ** 53 - 1, true],
  ] as const) {
    const open = await orderFor(shop, amountMinor);
    const paid = await orderFor(shop, amountMinor);
    await shop.pay(paid);
    for (const locale of LOCALES) {
      await speak(page, locale);
      const whole = formatMoney(BigInt(amountMinor), 'UZS', locale).replace(/\s/g, ' ');
      const order = page.getByRole('region', { name: messagesAt(locale, 'pay').summary.title });
      const places = {
        [`/pay/${open}`]: order.locator('p').nth(1),
        [`/pay/${paid}/receipt`]: page.getByRole('article').locator('p').first(),
      };
      for (const [path, place] of Object.entries(places)) {
        await page.goto(path);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          const lines = await linesOf(place);
          const at = `${path} in ${locale} at ${width} px: ${lines.join(' / ')}`;
          expect(lines.join(' '), at).toBe(whole);
          if (!isLong) expect(lines, at).toHaveLength(1);
          // A part is the whole number or the whole currency.
          if (lines.length > 1)
            expect(lines.map((line) => /\d/.test(line)).sort(), at).toEqual([false, true]);
        }
      }
    }
  }
});

test('an amount is whole at the bank, too, on the narrowest phone', async ({ page, shop }) => {
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto(`/pay/${await orderFor(shop, 123_456_789_012)}`);
  await fillCard(page, CARDS.challenge);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/\/challenge\?attempt=pay_/);
  const amount = page.locator('dd bdi').filter({ hasText: 'UZS' });
  expect(await linesOf(amount)).toEqual(['UZS 1,234,567,890.12']);
});

test('the time that is left comes, and moves nothing', async ({ page, shop }) => {
  const id = await shop.order({ validMs: 300_000 });
  for (const locale of LOCALES) {
    await speak(page, locale);
    const t = messagesAt(locale, 'pay');
    const form = page.getByRole('heading', { name: t.form.title, exact: true });
    for (const width of [320, 768]) {
      await page.setViewportSize({ width, height: 844 });
      const { release: want } = await holdRequests(page, '**/_next/static/**/*.js');
      await page.goto(`/pay/${id}`, { waitUntil: 'domcontentloaded' });
      await form.waitFor();
      await page.waitForFunction(() => {
        const links = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]');
        return links.length > 0 && [...links].every(({ sheet }) => sheet);
      });
      await page.evaluate(() => document.fonts.ready);
      const before = await form.boundingBox();
      want();
      await expect(page.getByText(t.time.left)).toBeVisible();
      expect(await form.boundingBox(), `in ${locale} at ${width} px`).toEqual(before);
      await page.unroute('**/_next/static/**/*.js');
    }
  }
});
