import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type Browser, expect } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { newId } from '#server/lib/ids.ts';
import { test } from '../fixtures.ts';
import type { GatewayUnderTest } from '../gateway.ts';
import { newShop } from './new-shop.ts';
import { signInAt } from './person.ts';

test.slow();

const ROWS = 15_000;

/** A shop with a list larger than any socket's buffers; its signed-in owner's cookies. */
async function openShop(browser: Browser, gateway: GatewayUnderTest, name: string) {
  const { owner, merchantId } = await newShop(gateway, name);
  const pool = openPool(gateway.databaseUrl, 1);
  const now = new Date();
  await pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at)
     SELECT id, $1, 'sandbox', id, 'CANCELED', 100, 'USD', repeat('x', 1000), '[]', 'x', 'x', 'x',
       $2, $2, $2
     FROM unnest($3::text[]) AS id`,
    [merchantId, now, Array.from({ length: ROWS }, () => newId('inv', now.getTime()))],
  );
  await pool.end();
  const context = await browser.newContext({ baseURL: gateway.origin });
  const page = await context.newPage();
  await signInAt(page, owner, '/dashboard/sandbox/account');
  await expect(page.getByText('This session').filter({ visible: true })).toBeVisible();
  const cookies = await context.cookies();
  await context.close();
  return cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
}

/** Requests the list as a file. The answer waits in and behind the sockets until it is read. */
async function ask({ origin }: GatewayUnderTest, cookie: string): Promise<IncomingMessage> {
  const asked = get(`${origin}/dashboard/sandbox/invoices/export`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    agent: false,
  });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

async function linesOf(answer: IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const chunk of answer) lines += String(chunk).split('\n').length - 1;
  return lines;
}

test('files that are taken slowly keep nobody else from theirs, and come whole', async ({
  browser,
  gateway,
}) => {
  const slow: IncomingMessage[] = [];
  for (const name of ['Slow shop', 'Other slow shop']) {
    const cookie = await openShop(browser, gateway, name);
    for (const _ of [1, 2]) slow.push(await ask(gateway, cookie));
    const third = await ask(gateway, cookie);
    expect(third.statusCode).toBe(429);
    third.resume();
  }
  expect(slow.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const fast = await ask(gateway, await openShop(browser, gateway, 'Fast shop'));
  expect(fast.statusCode).toBe(200);
  expect(await linesOf(fast)).toBe(ROWS + 1);
  for (const answer of slow) expect(await linesOf(answer)).toBe(ROWS + 1);
});
