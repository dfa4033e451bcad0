import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { forgetSettings, withOwnDataDir } from '../testing/settings.ts';
import { developerCommands } from './developer-commands.ts';

const dataDir = withOwnDataDir();
const heard: (string | undefined)[] = [];
// Knows no token: only the requests it receives matter.
const gateway = createServer((request, response) => {
  heard.push(request.headers.authorization);
  const error = { message: 'Unauthorized', error_code: 401 };
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ result: false, data: null, error }));
});
let origin: string;

beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  origin = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const demo = { merchantId: 'mer_demo', sandbox: { apiToken: 'gw_sandbox_demo' } };
  writeFileSync(join(dataDir(), 'demo-merchant.json'), JSON.stringify(demo));
});
afterEach(() => {
  vi.stubEnv('GATEWAY_BASE_URL', '');
  vi.stubEnv('GATEWAY_MERCHANT_ID', '');
  vi.stubEnv('PUBLIC_URL', '');
  forgetSettings();
  heard.length = 0;
});
afterAll(() => gateway.close());

/** Runs `trigger paid` with further options in this process. */
async function trigger(...options: string[]): Promise<void> {
  const io = { print: () => undefined, withDatabase: async () => undefined };
  const command = developerCommands(io).find((each) => each.name() === 'trigger');
  await command?.parseAsync(['paid', ...options], { from: 'user' });
}

it('beside the gateway that npm start has started, it is the demo merchant', async () => {
  vi.stubEnv('PUBLIC_URL', origin);
  forgetSettings();
  await expect(trigger()).rejects.toThrow(
    /^Unauthorized\. The token was that of the demo merchant/,
  );
  expect(heard).toEqual(['Bearer gw_sandbox_demo']);
  await expect(trigger('--token', 'gw_sandbox_own')).rejects.toThrow(/^Unauthorized$/);
});

it('where nobody knows of a demo merchant, it says where it has looked', async () => {
  const file = join(dataDir(), 'demo-merchant.json');
  renameSync(file, `${file}.away`);
  await expect(trigger()).rejects.toThrow(`There is no ${file} to go by: set DATA_DIR`);
  renameSync(`${file}.away`, file);
});

it('another gateway hears nothing of the demo merchant, whichever way it is named', async () => {
  const elsewhere = `${origin}/api/sandbox`;
  await expect(trigger('--base-url', elsewhere)).rejects.toThrow('--merchant-id is missing');
  await expect(trigger(`--base-url=${elsewhere}`)).rejects.toThrow('--merchant-id is missing');
  vi.stubEnv('GATEWAY_BASE_URL', elsewhere);
  await expect(trigger()).rejects.toThrow('--merchant-id is missing');
  vi.stubEnv('GATEWAY_MERCHANT_ID', 'mer_theirs');
  await expect(trigger()).rejects.toThrow('--token is missing');
  expect(heard).toEqual([]);
});
