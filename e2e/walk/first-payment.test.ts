import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { welcome } from '#server/process/welcome.ts';
import { freePort } from '#server/testing/ports.ts';
import { test } from '../fixtures.ts';
import { until } from '../processes/processes.ts';

const run = promisify(execFile);

// The README's walk: the command printed by `npm start`, pasted; a browser; and the README's
// receiver, which checks the signature with the public library.
test('from the pasted command to a verified callback', async ({ gateway, page }) => {
  const port = String(await freePort());
  const { merchantId, owner, sandbox, production } = gateway.merchant;
  const login = { email: owner.email, password: owner.password };
  const text = welcome(gateway.origin, { merchantId, owner: login, sandbox, production });
  const command = /^curl [\s\S]*^END$/m
    .exec(text)?.[0]
    .replace('localhost:4000', `localhost:${port}`);
  if (!command) throw new Error('npm start prints no command');

  const receiver = spawn('node', ['e2e/walk/receiver.js', sandbox.webhookSecret, port]);
  try {
    let output = '';
    receiver.stdout.on('data', (data: Buffer) => {
      output += data;
    });
    await until('a listening receiver', 5_000, () => Promise.resolve(output.includes('listening')));

    const { stdout } = await run('sh', ['-c', command]);
    const { data } = JSON.parse(stdout);
    await page.goto(data.invoice_url);
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiry date').fill('12/30');
    await page.getByLabel('Security code').fill('123');
    await page.getByLabel('Name on card').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Pay $15.00' }).click();

    await expect.poll(() => output, { timeout: 5_000 }).toContain('signature good, PAID');
    expect(output).toContain(`"invoice_id":"${data.invoice_id}"`);
    expect(output).toContain('"merchant_data":{"cart": "42"}');
    await expect(page.getByText(/paid/i).first()).toBeVisible();
  } finally {
    receiver.kill();
  }
});
