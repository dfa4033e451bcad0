import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { openPool } from '#server/db/pool.ts';
import { createMerchant } from '#server/merchants/mutations.ts';
import { openShop } from '#server/testing/callbacks.ts';
import { freePort } from '#server/testing/ports.ts';
import { verifyCallback } from '../client/src/callback.ts';
import { runCommand } from '../client/src/command.ts';
import { installExpressShop, linkClient } from './express-shop.ts';
import { test } from './fixtures.ts';
import { CARDS, fillCard } from './pay/shop.ts';
import { until } from './processes/processes.ts';

// The example is a peer: a real shop, the client, the worker's own callback.
test('a buyer pays in the Express shop, which releases the order by its callback', async ({
  gateway,
  page,
}) => {
  test.setTimeout(90_000);
  const folder = await installExpressShop(linkClient);
  const port = String(await freePort());
  const { merchantId, sandbox } = gateway.merchant;
  const shop = spawn(process.execPath, [path.join(folder, 'shop.js')], {
    env: {
      ...process.env,
      PORT: port,
      GATEWAY_BASE_URL: `${gateway.origin}/api/sandbox`,
      GATEWAY_MERCHANT_ID: merchantId,
      GATEWAY_TOKEN: sandbox.apiToken,
      GATEWAY_WEBHOOK_SECRET: sandbox.webhookSecret,
    },
  });
  try {
    let output = '';
    shop.stdout.on('data', (data: Buffer) => {
      output += data;
    });
    await until('an open shop', 10_000, () => output.includes('the shop is open on'));

    await page.goto(`http://localhost:${port}/`);
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    await page.waitForURL(`${gateway.origin}/pay/**`);
    await fillCard(page, CARDS.approved);
    await page.getByRole('button', { name: 'Pay $12.50', exact: true }).click();

    // The payment page sends the buyer back, and the shop shows its callback's state.
    const thanks = page.getByRole('heading', { name: 'Thank you', exact: true });
    await expect(thanks).toBeVisible({ timeout: 30_000 });
    expect(page.url()).toMatch(new RegExp(`^http://localhost:${port}/orders/order-`));
    expect(output).toMatch(/callback msg_\S+: order-\S+: paid/);
  } finally {
    shop.kill();
    await rm(folder, { recursive: true, force: true });
  }
});

// The worker makes the attempts and `web` passes them to the listener, both as in production.
test('gateway listen gets the callbacks that the worker sends', async ({ gateway }) => {
  const pool = openPool(gateway.databaseUrl, 1);
  const actor = { type: 'operator', id: null, label: 'journeys' } as const;
  const { merchantId, sandbox } = await createMerchant(pool, {
    name: 'Listening shop',
    ownerEmail: 'listener@example.com',
    actor,
    now: new Date(),
  });
  await pool.end();
  const receiver = await openShop();
  const end = new AbortController();
  const printed: string[] = [];
  const io = {
    print: (text: string) => printed.push(text),
    defaults: { baseUrl: `${gateway.origin}/api/sandbox`, merchantId, token: sandbox.apiToken },
    signal: end.signal,
  };
  const listening = runCommand(['listen', '--forward-to', receiver.url], io);
  try {
    await expect.poll(() => printed.join('\n')).toContain('Press Ctrl-C to stop');
    await runCommand(['trigger', 'paid', '--callback-url', 'http://localhost:1/'], io);
    await expect.poll(() => printed.join('\n'), { timeout: 10_000 }).toMatch(/\n +delivered$/);
    expect(receiver.received).toHaveLength(1);
    const { body, headers } = receiver.received[0] ?? { body: '', headers: {} };
    const secrets = sandbox.webhookSecret;
    const { invoice } = await verifyCallback({ body, headers, secrets });
    expect(invoice.status).toBe(2);
  } finally {
    end.abort();
    await listening;
    await receiver.close();
  }
});
