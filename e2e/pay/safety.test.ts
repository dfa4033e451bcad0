import { gzipSync } from 'node:zlib';
import { CARDS, expect, fillCard, test } from './shop.ts';

/** The project's own limit for the scripts of the page. */
const SCRIPT_LIMIT_KIB = 150;

test('every page of an invoice is sent with a strict policy and is indexed by nobody', async ({
  request,
  shop,
}) => {
  const id = await shop.order();
  for (const path of ['', '/receipt', '/challenge', '/state', '/qr']) {
    const answer = await request.get(`/pay/${id}${path}`, { maxRedirects: 0 });
    const headers = answer.headers();
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).toMatch(/script-src 'self' 'nonce-[0-9a-f]{32}' 'strict-dynamic';/);
    expect(policy).not.toContain('unsafe');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-robots-tag']).toContain('noindex');
    expect(headers['x-powered-by']).toBeUndefined();
    if (path !== '/qr') expect(headers['cache-control']).toContain('no-store');
  }
});

test('every script carries the nonce, and two pages never the same', async ({ request, shop }) => {
  const id = await shop.order();
  const nonces = new Set<string>();
  for (let visit = 0; visit < 2; visit++) {
    const answer = await request.get(`/pay/${id}`);
    const nonce = /'nonce-([0-9a-f]+)'/.exec(
      answer.headers()['content-security-policy'] ?? '',
    )?.[1];
    nonces.add(nonce ?? '');
    const html = await answer.text();
    for (const [tag] of html.matchAll(/<(script|style)\b[^>]*>/g)) {
      expect(tag).toContain(`nonce="${nonce}"`);
    }
    expect(html).not.toMatch(/<[^>]+\s(style|on[a-z]+)=/);
  }
  expect(nonces.size).toBe(2);
});

test('nobody guesses what kind of thing any answer is', async ({ page, request, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}`);
  const script = await page.locator('script[src]').first().getAttribute('src');
  const paths = [
    '/api/sandbox/invoice/status?invoice_id=x',
    '/api/nothing',
    '/api/openapi.json',
    '/api/health',
    '/icon.svg',
    '/samples/create-invoice.mjs',
    String(script),
    '/dashboard/sign-in',
    '/nothing',
  ];
  for (const path of paths) {
    const headers = (await request.get(path)).headers();
    expect(headers['x-content-type-options'], path).toBe('nosniff');
  }
});

test('a card leaves no trace: not in addresses, cookies, stores, answers or the database', async ({
  page,
  context,
  shop,
}) => {
  const id = await shop.order();
  const answers: Promise<string>[] = [];
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('response', (response) => answers.push(response.text().catch(() => '')));
  await page.goto(`/pay/${id}?stay=1`);
  await page.getByText('Test payment').waitFor();
  answers.length = 0;
  await fillCard(page, CARDS.generic_decline, { code: '7391' });
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await page.locator('#pay-notice').waitFor();
  const stores = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  );
  const { rows } = await shop.pool.query(
    `SELECT p::text AS attempt, a::text AS authorisation FROM payment_attempts p
     LEFT JOIN sandbox_authorisations a ON a.idempotency_key = p.id WHERE p.invoice_id = $1`,
    [id],
  );
  const places = [
    ...addresses,
    stores,
    JSON.stringify(await context.cookies()),
    JSON.stringify(rows),
  ];
  for (const place of places) expect(place).not.toMatch(/4000 ?0000 ?0000 ?0002|\b7391\b/);
  // The page lists test cards, so only the code tells an echo from the list.
  for (const answer of await Promise.all(answers)) expect(answer).not.toMatch(/"7391\\?"/);
});

test('an unknown, a malformed and a hostile id are the same 404', async ({ request }) => {
  const ids = ['inv_01kx', `inv_${'0'.repeat(35)}`, "inv_'%20OR%201=1", 'a'.repeat(3000)];
  for (const id of ids) expect((await request.get(`/pay/${id}`)).status(), id).toBe(404);
  expect((await request.get('/pay/%00')).status()).toBeLessThan(500);
});

test('nobody has pictures made smaller', async ({ request }) => {
  for (const url of ['/readme/docs.png', '/readme/%64ocs.png', '/icon.svg']) {
    const query = new URLSearchParams({ url, w: '640', q: '75' });
    const answer = await request.get(`/_next/image?${query}`);
    expect(answer.status()).toBe(404);
    expect(answer.headers()['content-security-policy']).toContain("default-src 'none'");
  }
  expect((await request.get('/icon.svg')).headers()['content-type']).toBe('image/svg+xml');
});

test(`the page's scripts stay under ${SCRIPT_LIMIT_KIB} KiB`, async ({ page, shop }, info) => {
  const sizes: number[] = [];
  const bodies: Promise<void>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    bodies.push(response.body().then((body) => void sizes.push(gzipSync(body).length)));
  });
  await page.goto(`/pay/${await shop.order()}`, { waitUntil: 'networkidle' });
  await Promise.all(bodies);
  const totalKib = sizes.reduce((sum, size) => sum + size, 0) / 1024;
  info.annotations.push({ type: 'KiB of scripts, gzipped', description: totalKib.toFixed(1) });
  expect(sizes.length).toBeGreaterThan(3);
  expect(totalKib).toBeLessThanOrEqual(SCRIPT_LIMIT_KIB);
});

test('the QR code is drawn here, fetched on wide screens only, and no answer for rubbish', async ({
  page,
  request,
  shop,
}) => {
  const id = await shop.order();
  const fetched: string[] = [];
  page.on('request', (sent) => void fetched.push(sent.url()));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/pay/${id}`, { waitUntil: 'networkidle' });
  expect(fetched.filter((url) => url.endsWith('/qr'))).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  expect((await request.get(`/pay/${id}/qr`)).headers()['content-type']).toBe('image/svg+xml');
  expect((await request.get('/pay/nonsense/qr')).status()).toBe(404);
});
