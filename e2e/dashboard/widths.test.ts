import { expect, type Page } from '@playwright/test';
import type { OpenedMerchant } from '#server/testing/merchants.ts';
import { createBody } from '#server/testing/rest.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { openAsOperator } from '../operator/as-operator.ts';
import { newShop, postTo } from './new-shop.ts';
import { signInAt } from './person.ts';

// Each test looks at its screens in many widths.
test.slow();

/** A shop with this volume in its sandbox, fifteen million soums by default. */
async function paidShop(gateway: GatewayUnderTest, amount = 1_500_000_000) {
  const shop = await newShop(gateway, 'Shop of all widths');
  const sum = { amount, currency: 'UZS' };
  const body = createBody({ ...sum, positions: [{ title: 'Ticket', ...sum }] });
  const invoice_id = await postTo(gateway, shop, '/invoice/create', body);
  await postTo(gateway, shop, '/test/invoice/pay', { invoice_id });
  return shop;
}

/** Finds texts and pictures that stick out of their cards. */
async function expectWithinCards(page: Page, at: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const faults = await page.evaluate(() => {
    const seen: string[] = [];
    for (const card of document.querySelectorAll('main .card')) {
      const { left, right } = card.getBoundingClientRect();
      const look = (name: string, boxes: Iterable<DOMRect>) => {
        for (const box of boxes) {
          if (box.width > 1 && (box.left < left || box.right > right)) seen.push(name);
        }
      };
      for (const picture of card.querySelectorAll('svg, svg text')) {
        look(picture.textContent ?? '', [picture.getBoundingClientRect()]);
      }
      const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        // A folded table's head is only read aloud.
        if (text.parentElement?.closest('thead')?.clientWidth === 1) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        look(text.textContent ?? '', range.getClientRects());
      }
    }
    return seen;
  });
  expect(faults, at).toEqual([]);
}

const WIDTHS = [320, 360, 390, 600, 640, 768, 820, 912, 1023, 1024, 1180, 1280, 1330, 1440];

test('the operator’s figures stay in their tiles at every width', async ({ page, gateway }) => {
  await openAsOperator(page, gateway, '/operator/overview');
  await page.goto('/operator/overview?lang=ru');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await expectWithinCards(page, `${width} px`);
    const broken = await page.getByRole('main').evaluate((main) =>
      [...main.querySelectorAll('h2')].flatMap((title) => {
        const text = title.firstChild;
        if (!(text instanceof Text)) return [];
        return [...text.data.matchAll(/[^\s-]+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        });
      }),
    );
    expect(broken, `${width} px`).toEqual([]);
  }
});

test('the operator’s list of merchants is cut at no width', async ({ page, gateway }) => {
  const { merchantId } = await paidShop(gateway, 2 ** 53 - 1);
  await openAsOperator(page, gateway, '/operator/overview');
  for (const lang of ['en', 'ru']) {
    await page.goto(`/operator/merchants?environment=sandbox&q=${merchantId}&lang=${lang}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      await expectWithinCards(page, `${lang} at ${width} px`);
    }
  }
});

async function openOverview(page: Page, { owner }: OpenedMerchant): Promise<void> {
  await signInAt(page, owner, '/dashboard/sandbox');
}

/** WCAG 2.2, 1.4.12: a reader may space letters, words and lines this far apart. */
const SPACED = `* {
  line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;
} p { margin-bottom: 2em !important; }`;

/** Spaces a page's text this far apart. */
async function spaceText(page: Page): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, SPACED);
  await page.evaluate(() => document.fonts.ready);
}

test('the overview fits on the smallest phone with its text spaced', async ({ page, gateway }) => {
  await page.setViewportSize({ width: 320, height: 844 });
  await openOverview(page, await paidShop(gateway, 2 ** 53 - 1));
  for (const search of ['range=7', 'from=1970-01-01&to=1970-01-02']) {
    await page.goto(`/dashboard/sandbox?lang=ru&${search}`);
    await spaceText(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
});
