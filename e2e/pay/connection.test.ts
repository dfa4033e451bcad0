import type { Page } from '@playwright/test';
import { messagesAt } from '#server/i18n/translator.ts';
import { holdRequests } from '../held-requests.ts';
import { CARDS, expect, fillCard, payWith, test } from './shop.ts';

const en = messagesAt('en', 'pay');

/** Loses all of the page's requests except those for the state, and counts them by `lost`. */
async function loseAllButState(page: Page): Promise<{ lost: number }> {
  const seen = { lost: 0 };
  await page.route('**/pay/**', async (route) => {
    if (route.request().url().endsWith('/state')) return route.continue();
    seen.lost++;
    await route.abort('internetdisconnected');
  });
  return seen;
}

test('a change that cannot be fetched leaves the page as it is, and comes when it can @waits', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}?stay=1`);
  await fillCard(page, CARDS.approved);
  const seen = await loseAllButState(page);
  await shop.cancel(id);
  await expect(() => expect(seen.lost).toBeGreaterThan(1)).toPass({ timeout: 60_000 });
  await expect(page.getByLabel('Card number', { exact: true })).toHaveValue(CARDS.approved);
  await page.unroute('**/pay/**');
  await expect(page.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible({
    timeout: 60_000,
  });
});

test('an answer that is not the gateway’s empties the card’s secrets and keeps the name', async ({
  page,
  shop,
  watched,
}) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}?stay=1`);
  await page.route('**/pay/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
  });
  await payWith(page, CARDS.approved);
  await expect(page.getByRole('alert').filter({ hasText: en.notices.unclear })).toBeFocused();
  await expect(page.getByLabel('Name on card', { exact: true })).toHaveValue('Ann Buyer');
  await expect(page.getByLabel('Card number', { exact: true })).toHaveValue('');
  expect(await shop.attempts(id)).toEqual([]);
  // The browser itself reports the 502.
  expect(watched.faults.splice(0)).toEqual([expect.stringContaining('502')]);
});

test('the clock of the time that is left counts from when the page was made, not from its script @waits', async ({
  page,
  shop,
}) => {
  const validMs = 300_000;
  const endMs = Date.now() + validMs;
  const id = await shop.order({ validMs });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    await route.continue();
  });
  await page.goto(`/pay/${id}?stay=1`);
  const shown = page.getByText(/^\d+:\d{2}$/);
  await expect(shown).toBeVisible({ timeout: 60_000 });
  const { text, nowMs } = await shown.evaluate((node) => ({
    text: node.textContent ?? '',
    nowMs: Date.now(),
  }));
  const [minutes = 0, seconds = 0] = text.split(':').map(Number);
  // A busy machine may be some seconds late, but never by the script's twelve.
  expect(minutes * 60 + seconds).toBeLessThan((endMs - nowMs) / 1000 + 6);
});

test('a payment whose answer never comes is told as unclear, until the page has heard what became of it', async ({
  page,
  shop,
}) => {
  const id = await shop.order();
  await page.clock.install();
  await page.goto(`/pay/${id}?stay=1`);
  let posts = 0;
  const { release: hasToTell } = await holdRequests(page, '**/state');
  await page.route('**/pay/*', async (route) => {
    if (route.request().method() !== 'POST' || posts++ > 0) return route.continue();
    // The server carries it out, but the answer is lost.
    await route.fetch();
  });
  await payWith(page, CARDS.approved);
  await expect(() => shop.status(id).then((status) => expect(status).toBe('PAID'))).toPass();
  await page.clock.fastForward(30_000);
  await expect(page.getByRole('alert').filter({ hasText: en.notices.unclear })).toBeFocused();
  hasToTell();
  await page.clock.fastForward(10_000);
  await expect(page.getByRole('heading', { name: en.paid.title })).toBeVisible({ timeout: 9_000 });
  expect(await shop.ledger(id)).toEqual(['authorisation', 'capture']);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
