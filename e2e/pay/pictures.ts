import { mkdirSync } from 'node:fs';
import { type Browser, chromium, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { createMerchantFixture } from '#server/testing/factories.ts';
import { findChromium } from '../chromium.ts';
import { gatewayUnderTest, startGateway } from '../gateway.ts';
import { CARDS, fillCard, nameShop, payWith, Shop } from './shop.ts';

const FOLDER = 'public/readme';
const PHONE = { width: 390, height: 844 };
// A phone starts with the order's details folded.
const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const DESKTOP = { width: 1280, height: 832 };

type Picture = {
  name: string;
  viewport: { width: number; height: number };
  colorScheme: 'light' | 'dark';
  reach: (page: Page, shop: Shop) => Promise<void>;
};

async function open(page: Page, shop: Shop): Promise<void> {
  await page.goto(`/pay/${await shop.order()}?stay=1`, { waitUntil: 'networkidle' });
}

const PICTURES: Picture[] = [
  { name: 'pay-desktop', viewport: DESKTOP, colorScheme: 'light', reach: open },
  { name: 'pay-desktop-dark', viewport: DESKTOP, colorScheme: 'dark', reach: open },
  {
    name: 'pay-phone',
    viewport: PHONE,
    colorScheme: 'light',
    reach: async (page, shop) => {
      await open(page, shop);
      await fillCard(page, CARDS.approved);
    },
  },
  {
    name: 'declined-phone',
    viewport: PHONE,
    colorScheme: 'light',
    reach: async (page, shop) => {
      await open(page, shop);
      await payWith(page, CARDS.insufficient_funds);
      await page.locator('#pay-notice').waitFor();
    },
  },
  {
    name: 'paid-phone',
    viewport: PHONE,
    colorScheme: 'dark',
    reach: async (page, shop) => {
      await open(page, shop);
      await payWith(page, CARDS.approved);
      await page.getByRole('heading', { name: 'Payment complete' }).waitFor();
    },
  },
];

async function take(browser: Browser, shop: Shop, picture: Picture): Promise<void> {
  const { name, viewport, colorScheme, reach } = picture;
  const context = await browser.newContext({
    baseURL: gatewayUnderTest().origin,
    viewport,
    colorScheme,
    userAgent: viewport === PHONE ? PHONE_AGENT : undefined,
    isMobile: viewport === PHONE,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await reach(page, shop);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
  await context.close();
}

/** Takes the README's pictures of the payment page, from the production build. */
async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const stop = await startGateway();
  const pool = openPool(gatewayUnderTest().databaseUrl, 2);
  const executablePath = findChromium();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const merchant = await createMerchantFixture(pool);
    await nameShop(pool, merchant.id);
    const shop = new Shop(pool, merchant.sandbox.tenant, merchant.production.tenant);
    for (const picture of PICTURES) await take(browser, shop, picture);
  } finally {
    await browser.close();
    await pool.end();
    await stop();
  }
}

await main();
