import type { APIRequestContext, Page } from '@playwright/test';
import { en } from '#app/pay/_i18n/en.ts';
import { CARD_FIELDS, hiddenFields } from './form-post.ts';
import { CARDS, expect, fillCard, payWith, test } from './shop.ts';

/** What a proxy may say instead of the name that the buyer's browser knows. */
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

/** A form as a browser without script sends it. */
type Form = { fields: Record<string, string>; headers: Record<string, string> };

const BOUNDARY = '----WebKitFormBoundaryOfATest';

function encoded(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** Opens a new payment page; posts to it answer with their status. */
async function openForm(page: Page, request: APIRequestContext, id: string) {
  await page.goto(`/pay/${id}`);
  const own: Form = {
    fields: { ...(await hiddenFields(page)), ...CARD_FIELDS },
    headers: { Origin: new URL(page.url()).origin },
  };
  const post = async (change: Partial<Form>, cut = (body: string) => body) => {
    const { fields, headers } = { ...own, ...change };
    const type = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
    const answer = await request.post(`/pay/${id}`, {
      data: Buffer.from(cut(encoded(fields))),
      headers: { ...type, ...headers },
      maxRedirects: 0,
    });
    return answer.status();
  };
  return { own, post };
}

test('a form that is cut off is refused', async ({ page, request, shop }) => {
  const id = await shop.order();
  const { own, post } = await openForm(page, request, id);
  for (const share of [0, 0.3, 0.6, 0.9]) {
    const cut = (body: string) => body.slice(0, body.length * share);
    expect(await post({}, cut), `${share}`).toBe(400);
    // As Next's own script would send it.
    const headers = { ...own.headers, 'Next-Action': '0'.repeat(42) };
    expect(await post({ headers }, cut), `${share}`).toBe(400);
  }
  expect(await shop.attempts(id)).toEqual([]);
  expect(await post({})).toBe(303);
  expect(await shop.status(id)).toBe('PAID');
});

test('403 without an origin of ours, whatever the form calls', async ({ page, request, shop }) => {
  const id = await shop.order();
  const { post } = await openForm(page, request, id);
  const foreign: Record<string, string>[] = [
    {},
    { Origin: 'rubbish' },
    { Origin: 'https://evil.example' },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' },
    { Origin: 'null' },
  ];
  for (const headers of foreign) {
    expect(await post({ headers })).toBe(403);
    expect(await post({ headers: { ...headers, 'Next-Action': 'unknown' } })).toBe(403);
  }
  expect(await shop.attempts(id)).toEqual([]);
  // A browser that hides the origin still says that it is the page's own.
  expect(await post({ headers: { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' } })).toBe(303);
  expect(await shop.status(id)).toBe('PAID');
});

test('hidden fields that somebody has changed are refused', async ({ page, request, shop }) => {
  const id = await shop.order();
  const { own, post } = await openForm(page, request, id);
  const [action = '', bound = ''] = ['0', '1'].map((end) =>
    Object.keys(own.fields).find((name) => new RegExp(`^\\$ACTION_\\d+:${end}$`).test(name)),
  );
  const changed: [string, string][] = [
    [action, ''],
    [action, '{"id":"x","bound":null}'],
    [action, (own.fields[action] ?? '').replace('$@1', '$@9')],
    ...['', '{', '[]', 'null', '"$@9"', '["$Q9"]', '[{"serial":"$F9"}]'].map(
      (text): [string, string] => [bound, text],
    ),
  ];
  for (const [name, value] of changed) {
    expect(await post({ fields: { ...own.fields, [name]: value } }), `${name}=${value}`).toBe(400);
  }
  for (const name of [action, bound]) {
    const { [name]: _, ...fields } = own.fields;
    expect(await post({ fields }), `without ${name}`).toBe(400);
  }
  expect(await post({ fields: { ...own.fields, [bound]: '[null]' } })).toBeLessThan(500);
});

test('a call with arguments that somebody has written is the caller’s affair', async ({
  page,
  request,
  shop,
}) => {
  const id = await shop.order();
  const { own, post } = await openForm(page, request, id);
  const { id: action } = JSON.parse(
    Object.values(own.fields).find((value) => /^\{"id":"\w+","bound"/.test(value)) ?? '',
  );
  const headers = { ...own.headers, 'Next-Action': action };
  for (const list of ['[]', '{', '["$Q9","$K1"]', '["x","y"]', `[${'['.repeat(20_000)}`]) {
    expect(await post({ fields: { '0': list }, headers }), list.slice(0, 20)).toBe(400);
    const text = { ...headers, 'Content-Type': 'text/plain' };
    const answer = await request.post(`/pay/${id}`, { data: list, headers: text });
    expect(answer.status(), list.slice(0, 20)).toBe(400);
  }
  expect(await post({ fields: { '0': '["$K1"]' }, headers })).toBeLessThan(500);
  expect(await post({ fields: { [`$ACTION_ID_${action}`]: '' } })).toBe(303);
  expect(await shop.attempts(id)).toEqual([]);
});

test('a form that is too large is refused', async ({ page, request, shop }) => {
  const { own, post } = await openForm(page, request, await shop.order());
  for (const length of [2_000_000, 12_000_000]) {
    const status = await post({ fields: { ...own.fields, nameOnCard: 'x'.repeat(length) } });
    expect(status, `${length}`).toBe(413);
  }
});

test('an address that is too long is refused, and one as long as may be is read', async ({
  request,
  shop,
}) => {
  const path = `/pay/${await shop.order()}?`;
  const address = (length: number) => path + '%ff'.repeat(length).slice(0, length - path.length);
  expect((await request.get(address(8 * 1024))).status()).toBe(200);
  const refused = await request.get(address(8 * 1024 + 1));
  expect([refused.status(), await refused.text()]).toEqual([414, 'The address is too long']);
});

test('an address of too many parameters is refused, and one with as many as may be is read', async ({
  request,
  shop,
}) => {
  const path = `/pay/${await shop.order()}?`;
  expect((await request.get(path + '%ff&'.repeat(199))).status()).toBe(200);
  const refused = await request.get(path + '%ff&'.repeat(200));
  expect([refused.status(), await refused.text()]).toEqual([
    414,
    'The address has too many parameters',
  ]);
});

test('more cookies than a browser keeps are not looked at', async ({ request, shop }) => {
  const path = `/pay/${await shop.order()}/state`;
  const localeAmong = async (others: number) => {
    const more = Array.from({ length: others }, (_, at) => `; c${at}=1`).join('');
    const answer = await request.get(path, { headers: { Cookie: `locale=ru${more}` } });
    return (await answer.json()).locale;
  };
  expect(await localeAmong(150)).toBe('ru');
  expect(await localeAmong(300)).toBeNull();
});

test('more headers than any browser and its proxies send are refused, and many are let be', async ({
  request,
}) => {
  const statusWith = async (others: number) => {
    const more = Array.from({ length: others }, (_, at) => [`x-${at}`, '1']);
    return (await request.get('/pay/none', { headers: Object.fromEntries(more) })).status();
  };
  expect(await statusWith(150)).toBe(404);
  expect(await statusWith(300)).toBe(431);
});
