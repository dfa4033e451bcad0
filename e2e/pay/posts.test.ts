import type { APIRequestContext, Page } from '@playwright/test';
import { messagesAt } from '#server/i18n/translator.ts';
import { CARD_FIELDS, hiddenFields } from './form-post.ts';
import { CARDS, expect, fillCard, payWith, test } from './shop.ts';

const en = messagesAt('en', 'pay');

/** A proxy may send this instead of the name that the buyer's browser knows. */
const INSIDE = '10.0.0.7:3000';

test('a buyer pays behind a proxy that changes Host', async ({ page, shop }) => {
  const id = await shop.order();
  await page.route('**/pay/**', async (route) => {
    const headers = { ...route.request().headers(), host: INSIDE };
    await route.fulfill({ response: await route.fetch({ headers, maxRedirects: 0 }) });
  });
  await page.goto(`/pay/${id}`);
  await fillCard(page, CARDS.approved);
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect.poll(() => shop.status(id)).toBe('PAID');
});

test('and without script', async ({ page, request, shop, baseURL }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  const answer = await request.post(`/pay/${id}`, {
    multipart: { ...(await hiddenFields(page)), ...CARD_FIELDS },
    headers: { Origin: String(baseURL), Host: INSIDE },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  expect(await shop.status(id)).toBe('PAID');
});

test('a gateway that does not know its own address refuses, which is no lost connection', async ({
  page,
  shop,
  watched,
}) => {
  const id = await shop.order();
  await page.route('**/pay/*', async (route) => {
    const { origin, ...rest } = route.request().headers();
    const foreign = origin && { origin: 'https://pay.example' };
    const headers = { ...rest, ...foreign, host: INSIDE };
    await route.fulfill({ response: await route.fetch({ headers }) });
  });
  await page.goto(`/pay/${id}`);
  await payWith(page, CARDS.approved);
  await expect(page.getByRole('alert').filter({ hasText: en.notices.unclear })).toBeFocused();
  await expect(page.getByText(en.notices.lost)).toHaveCount(0);
  expect(await shop.attempts(id)).toEqual([]);
  expect(watched.faults.splice(0)).toEqual([expect.stringContaining('status of 403')]);
});

/** Opens a payment page; returns a post to it without script, which gives the status. */
async function openForm(page: Page, request: APIRequestContext, id: string) {
  await page.goto(`/pay/${id}`);
  const fields = { ...(await hiddenFields(page)), ...CARD_FIELDS };
  return async (headers: Record<string, string>, more: Record<string, string> = {}) => {
    const multipart = { ...fields, ...more };
    const answer = await request.post(`/pay/${id}`, { multipart, headers, maxRedirects: 0 });
    return answer.status();
  };
}

test('403 without an origin of ours, whatever the form calls', async ({ page, request, shop }) => {
  const id = await shop.order();
  const post = await openForm(page, request, id);
  const foreign: Record<string, string>[] = [
    {},
    { Origin: 'rubbish' },
    { Origin: 'https://evil.example' },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' },
    { Origin: 'null' },
  ];
  for (const headers of foreign) {
    expect(await post(headers)).toBe(403);
    expect(await post({ ...headers, 'Next-Action': 'unknown' })).toBe(403);
  }
  expect(await shop.attempts(id)).toEqual([]);
  // A browser that hides the origin still tells that the request is the page's own.
  expect(await post({ Origin: 'null', 'Sec-Fetch-Site': 'same-origin' })).toBe(303);
  expect(await shop.status(id)).toBe('PAID');
});

test('a form that is too large is refused', async ({ page, request, shop, baseURL }) => {
  const post = await openForm(page, request, await shop.order());
  for (const length of [70_000, 12_000_000]) {
    const nameOnCard = 'x'.repeat(length);
    expect(await post({ Origin: String(baseURL) }, { nameOnCard }), `${length}`).toBe(413);
  }
});
