import { mkdirSync } from 'node:fs';
import { type Browser, chromium, type Page } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { createMerchantFixture } from '#server/testing/factories.ts';
import { findChromium } from './chromium.ts';
import { gatewayUnderTest, startGateway } from './gateway.ts';
import { CARDS, fillCard, nameShop, payWith, Shop } from './pay/shop.ts';

const FOLDER = 'public/readme';
const PHONE = { width: 390, height: 844 };
// A phone starts with the order's details folded.
const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
/** The demo seed makes the dashboard's data. */
const INVOICES = 20_000;
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

const signedIn = (place: string) => async (page: Page) => {
  const { owner } = gatewayUnderTest().merchant;
  await page.goto(`/dashboard${place}`);
  await page.getByLabel('Email address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  await page.waitForLoadState('networkidle');
};

/** The invoice with the longest history: declined, paid, and its callback tried again. */
const anInvoice = async (page: Page) => {
  await signedIn('/sandbox/invoices?status=PAID')(page);
  const pool = openPool(gatewayUnderTest().databaseUrl, 1);
  const { rows } = await pool.query<{ id: string }>(
    `SELECT i.id FROM invoices i JOIN callbacks c ON c.invoice_id = i.id
     JOIN payment_attempts p ON p.invoice_id = i.id
     WHERE i.status = 'PAID' AND i.merchant_id = $1 AND c.attempt_count BETWEEN 2 AND 3
     GROUP BY i.id HAVING count(DISTINCT p.id) = 2 ORDER BY i.id DESC LIMIT 1`,
    [gatewayUnderTest().merchant.merchantId],
  );
  await pool.end();
  await page.goto(`/dashboard/sandbox/invoices/${rows[0]?.id}`, { waitUntil: 'networkidle' });
};

const STAFF_PICTURES: Picture[] = [
  {
    name: 'dashboard',
    viewport: DESKTOP,
    colorScheme: 'light',
    reach: signedIn('/sandbox'),
  },
  {
    name: 'dashboard-dark',
    viewport: DESKTOP,
    colorScheme: 'dark',
    reach: signedIn('/sandbox'),
  },
  { name: 'invoice', viewport: DESKTOP, colorScheme: 'light', reach: anInvoice },
  {
    name: 'docs',
    viewport: DESKTOP,
    colorScheme: 'light',
    reach: async (page) => {
      await page.goto('/docs/callbacks', { waitUntil: 'networkidle' });
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

/** Takes the README's pictures from the production build. */
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
    const { merchantId } = gatewayUnderTest().merchant;
    await nameShop(pool, merchantId);
    await seedDemo(pool, {
      merchantId,
      invoices: INVOICES,
      seed: 1,
      publicUrl: gatewayUnderTest().origin,
      actor: { type: 'operator', id: null, label: 'pictures' },
      now: new Date(),
      onProgress: (written) => process.stderr.write(`… ${written} of ${INVOICES} invoices\n`),
    });
    for (const picture of [...PICTURES, ...STAFF_PICTURES]) await take(browser, shop, picture);
  } finally {
    await browser.close();
    await pool.end();
    await stop();
  }
}

await main();
