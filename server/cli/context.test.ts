import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { gatewayLock, takeLock } from '../lib/process-lock.js';
import { rememberPublicUrl } from '../settings/public-url-file.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { forgetSettings } from '../testing/settings.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';
import { withDatabase } from './context.ts';
import { merchantCommands } from './merchant-commands.ts';

const HOUR_MS = 3_600_000;
const MAX_APART_MS = 60_000;
const PUBLIC_URL = 'https://pay.example.com';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase(1);
});
beforeEach(() => {
  dataDir = makeThrowAwayFolder();
  // A file left by an earlier trial.
  rememberPublicUrl(dataDir, 'http://localhost:4100');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  forgetSettings();
  rmSync(dataDir, { recursive: true });
});
afterAll(() => database.drop());

/** From here on only these variables are set. */
function set(variables: Record<string, string>): void {
  const key = Buffer.alloc(32, 1).toString('base64');
  const given = {
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRETS_KEY: key,
    PUBLIC_URL: '',
    PORT: '',
    ...variables,
  };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  forgetSettings();
}

/** The output of `merchant create` there. */
async function create(variables: Record<string, string>, ...options: string[]): Promise<string> {
  set(variables);
  let printed = '';
  const io = { print: (text: string) => (printed += text), withDatabase };
  const args = ['create', '--name', 'Kiosk', '--owner-email', 'kiosk@example.com', ...options];
  await merchantCommands(io).parseAsync(args, { from: 'user' });
  return printed;
}

const baseUrl = async (variables: Record<string, string> = {}) =>
  JSON.parse(await create(variables, '--json')).production.base_url;

describe('beside a DATABASE_URL a base URL', () => {
  it('is not named where nobody has said where the webs are', async () => {
    expect(await create({})).toContain('/api/sandbox at PUBLIC_URL, which is not set here\n');
    expect(await baseUrl()).toBeNull();
    expect(await baseUrl({ PORT: '4200' })).toBeNull();
  });

  it('is that of PUBLIC_URL', async () => {
    expect(await baseUrl({ PUBLIC_URL })).toBe(`${PUBLIC_URL}/api/production`);
  });

  it('is that of a gateway which runs on this data now', async () => {
    takeLock(gatewayLock(dataDir));
    expect(await baseUrl()).toBe('http://localhost:4100/api/production');
  });
});

it.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])('on a machine whose clock is %s a command goes by the database’s', async (_how, offsetMs) => {
  set({});
  const truthMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: truthMs + offsetMs });
  let nowMs = Number.NaN;
  await withDatabase(async ({ now }) => {
    nowMs = now.getTime();
  });
  expect(Math.abs(nowMs - truthMs)).toBeLessThan(MAX_APART_MS);
});

it.each(['ann', 'ben'])(
  'the audit log names the account of %s, who gives a command',
  async (name) => {
    const { merchant_id: id } = JSON.parse(await create({ SUDO_USER: name }, '--json'));
    const { rows } = await database.pool.query(
      'SELECT DISTINCT actor_label FROM audit_log WHERE merchant_id = $1',
      [id],
    );
    expect(rows).toEqual([{ actor_label: `gateway command (${name})` }]);
  },
);
