import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createMerchant } from '../merchants/mutations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { freePort } from '../testing/ports.ts';
import { forgetSettings, withOwnDataDir } from '../testing/settings.ts';
import { demoCommands } from './demo-commands.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

let database: TestDatabase;
let gatewayUrl: string;
let policy = "form-action 'self'";
/** As far as the command looks at it. */
const gateway = createServer((_, response) => {
  response.writeHead(404, { 'content-security-policy': policy });
  response.end();
});

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase();
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  gatewayUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  vi.stubEnv('PUBLIC_URL', gatewayUrl);
  forgetSettings();
});
afterAll(async () => {
  gateway.close();
  await database.drop();
});

/** Runs the command until it has printed, and sees whether the first page answers by then. */
async function run(port: number): Promise<{ printed: string; pageStatus: number }> {
  const printed: string[] = [];
  let pageStatus = 0;
  const commands = demoCommands(
    {
      print: (text) => printed.push(text),
      withDatabase: (work) =>
        work({ pool: database.pool, actor: ACTOR, now: NOW, publicUrl: gatewayUrl }),
    },
    async () => {
      pageStatus = (await fetch(`http://127.0.0.1:${port}/`)).status;
    },
  );
  await commands.parseAsync(['acquirers', '--port', String(port)], { from: 'user' });
  return { printed: printed.join('\n'), pageStatus };
}

test('without a demo merchant it says what to do, and serves nothing', async () => {
  await expect(run(await freePort())).rejects.toThrow('start the gateway once (npm start)');
});

test('it serves until the end, and says what the gateway needs and whether it has that', async () => {
  const demo = { name: 'Demo merchant', ownerEmail: 'demo@example.com' };
  const actor = { ...ACTOR, label: 'first start' };
  await createMerchant(database.pool, { ...demo, actor, now: NOW });
  const port = await freePort();
  const { printed, pageStatus } = await run(port);
  expect(pageStatus).toBe(404);
  expect(printed).toContain(
    [
      `PAYME_CHECKOUT_URL=http://127.0.0.1:${port} \\`,
      `CLICK_PAY_URL=http://127.0.0.1:${port + 1}/services/pay \\`,
      `CLICK_API_URL=http://127.0.0.1:${port + 1}/v2/merchant \\`,
      `MULTICARD_API_URL=http://127.0.0.1:${port + 2} \\`,
      `STRIPE_API_URL=http://127.0.0.1:${port + 3} \\`,
      `YOOKASSA_API_URL=http://127.0.0.1:${port + 4}/v3 \\`,
      'npm start',
    ].join('\n'),
  );
  expect(printed).toContain(`The gateway at ${gatewayUrl} does not point there yet`);
  const origins = [port, port + 1, port + 2, port + 3, port + 4].map(
    (each) => `http://127.0.0.1:${each}`,
  );
  policy = `form-action 'self' ${origins.join(' ')}`;
  const again = await run(port);
  expect(again.printed).toContain(`The gateway at ${gatewayUrl} points there.`);
  const idsIn = (text: string) => text.match(/acq_\w+/g);
  expect(idsIn(again.printed)).toEqual(idsIn(printed));
});

test('a port that somebody has is told, with what to do', async () => {
  const { port } = gateway.address() as AddressInfo;
  await expect(run(port)).rejects.toThrow(`${port} to ${port + 4}: name others by --port`);
});
