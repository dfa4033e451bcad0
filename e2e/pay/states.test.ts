import type { Page } from '@playwright/test';
import { LOCALES, type Locale } from '#server/lib/locales.ts';
import { MAX_ATTEMPTS } from '#server/payments/card-testing.ts';
import { expectAccessible } from '../accessible.ts';
import { CARDS, expect, faultSummary, fillCard, payWith, type Shop, test } from './shop.ts';

type State = { name: string; reach: (page: Page, shop: Shop) => Promise<void> };

const declined = async (page: Page, shop: Shop) => {
  await page.goto(`/pay/${await shop.order()}`);
  await payWith(page, CARDS.insufficient_funds);
  await page.locator('#pay-notice').waitFor();
};
const challenge = async (page: Page, shop: Shop, declinedBefore = 0) => {
  const id = await shop.order();
  await shop.decline(id, declinedBefore);
  await page.goto(`/pay/${id}`);
  await payWith(page, CARDS.challenge);
  await page.waitForURL(/challenge/);
};
const paid = async (page: Page, shop: Shop, rest: string) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}?stay=1`);
  await payWith(page, CARDS.approved);
  await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
  await page.goto(`/pay/${id}${rest}`);
};

const STATES: State[] = [
  {
    name: 'form',
    reach: async (page, shop) => {
      await page.goto(`/pay/${await shop.order()}`);
    },
  },
  {
    name: 'test cards',
    reach: async (page, shop) => {
      await page.goto(`/pay/${await shop.order({ validMs: 500_000 })}`);
      await page.locator('#payment summary').click();
    },
  },
  { name: 'declined', reach: declined },
  { name: 'challenge', reach: (page, shop) => challenge(page, shop) },
  {
    name: 'open challenge',
    reach: async (page, shop) => {
      await challenge(page, shop);
      await page.goto(page.url().replace(/\/challenge.*/, ''));
    },
  },
  {
    name: 'open challenge of the last attempt',
    reach: async (page, shop) => {
      await challenge(page, shop, MAX_ATTEMPTS - 1);
      await page.goto(page.url().replace(/\/challenge.*/, ''));
    },
  },
  {
    name: 'no attempt left',
    reach: async (page, shop) => {
      const id = await shop.order({ validMs: 500_000 });
      await shop.decline(id, MAX_ATTEMPTS);
      await page.goto(`/pay/${id}`);
    },
  },
  {
    name: 'processing',
    reach: async (page, shop) => {
      const id = await shop.order();
      await page.goto(`/pay/${id}`);
      await payWith(page, CARDS.slow);
      await expect.poll(() => shop.attempts(id)).toEqual(['authorising']);
      await page.goto(`/pay/${id}`);
    },
  },
  { name: 'paid', reach: (page, shop) => paid(page, shop, '?stay=1') },
  { name: 'receipt', reach: (page, shop) => paid(page, shop, '/receipt') },
  {
    name: 'expired',
    reach: async (page, shop) => {
      await page.goto(`/pay/${await shop.order({ validMs: -1 })}?stay=1`);
    },
  },
  {
    name: 'cancelled',
    reach: async (page, shop) => {
      const id = await shop.order();
      await shop.cancel(id);
      await page.goto(`/pay/${id}?stay=1`);
    },
  },
  {
    name: 'no acquirer',
    reach: async (page, shop) => {
      await page.goto(`/pay/${await shop.order({ environment: 'production' })}?stay=1`);
    },
  },
  {
    name: 'unknown invoice',
    reach: async (page) => {
      await page.goto('/pay/inv_01kx');
    },
  },
  {
    name: 'long words and large amounts',
    reach: async (page, shop) => {
      const title = `Сверхдлинноеназвание${'а'.repeat(200)}`;
      await page.goto(
        `/pay/${await shop.order({
          amountMinor: Number.MAX_SAFE_INTEGER,
          currency: 'UZS',
          description: title,
          positions: [{ title, amountMinor: 1, currency: 'UZS' }],
        })}`,
      );
    },
  },
];

/** The smallest phone comes first: the next language begins at the last. */
const VIEWPORTS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

async function expectNothingCut(page: Page, what: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over, `${what}: wider than the screen`).toBeLessThanOrEqual(0);
}

async function speak(page: Page, locale: Locale): Promise<void> {
  await page.context().addCookies([{ name: 'locale', value: locale, url: page.url() }]);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', locale);
}

for (const { name, reach } of STATES) {
  test(`${name}: nothing for axe to find in both themes, and nothing cut in three languages`, async ({
    page,
    shop,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await reach(page, shop);
    for (const locale of LOCALES) {
      // Another language is the same page with longer words.
      if (locale === 'en') await expectAccessible(page, name);
      else await speak(page, locale);
      for (const viewport of VIEWPORTS) {
        await page.setViewportSize(viewport);
        await expectNothingCut(page, `${name} ${locale} at ${viewport.width} px`);
      }
    }
  });
}

test('faults: nothing for axe to find, in both themes', async ({ page, shop }) => {
  await page.goto(`/pay/${await shop.order()}`);
  await fillCard(page, '4242', { expiry: '99', code: '', name: '' });
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect(faultSummary(page)).toBeVisible();
  await expectAccessible(page, 'faults');
});

test('text at 200 % loses nothing, on a phone and on a desktop', async ({ page, shop }) => {
  await page.goto(`/pay/${await shop.order({ validMs: 500_000 })}`);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  for (const viewport of VIEWPORTS.slice(1)) {
    await page.setViewportSize(viewport);
    await expectNothingCut(page, `${viewport.width} px`);
    for (const label of ['Card number', 'Expiry date', 'Security code', 'Name on card']) {
      const field = page.getByLabel(label, { exact: true });
      await field.scrollIntoViewIfNeeded();
      const box = await field.boundingBox();
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= viewport.width).toBe(true);
    }
    await page.getByRole('button', { name: 'Pay $15.00' }).scrollIntoViewIfNeeded();
    await expect(page.getByRole('button', { name: 'Pay $15.00' })).toBeInViewport({
      ratio: 0.9,
    });
  }
});

test('a long description leaves the amount on the first screen, and is whole among the details', async ({
  page,
  shop,
}) => {
  const description = `${'A word of many. '.repeat(60)}The end.`;
  const id = await shop.order({ description });
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto(`/pay/${id}`);
    await expect(page.getByText('$15.00', { exact: true }).first()).toBeInViewport({ ratio: 1 });
    const whole = page.locator('details').getByText(description);
    await expect(whole).toBeVisible();
    expect((await whole.boundingBox())?.height).toBeGreaterThan(250);
  }
});
