import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPool } from '../db/pool.ts';
import { hashToken } from '../lib/opaque-token.ts';
import { findActiveToken } from '../merchants/tokens.ts';
import { findEmbedded, startEmbedded } from '../process/embedded-postgres/embedded.ts';
import { rememberPublicUrl } from '../settings/public-url-file.ts';
import { childEnvironment } from '../settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { commandOf, runGateway } from '../testing/gateway-command.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = makeThrowAwayFolder();
});
afterAll(async () => {
  await database.drop();
  await (await findEmbedded(dataDir))?.stop();
  rmSync(dataDir, { recursive: true });
});

const environmentOf = (variables: Record<string, string>) =>
  childEnvironment({
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    PORT: '',
    PUBLIC_URL: '',
    ...variables,
  });

/** The command as a process, with only the variables that a test gives. */
const gateway = (args: string[], variables: Record<string, string> = {}) =>
  runGateway(args, environmentOf(variables));
/** The same, returned while it runs. */
function start(args: string[], variables: Record<string, string> = {}) {
  const options = { env: environmentOf(variables) };
  const child = spawn(process.execPath, commandOf(args), options);
  return { child, ended: once(child, 'exit') };
}
const run = (...args: string[]) => gateway(args, { DATABASE_URL: database.url });
// Each test runs the command several times, and each database start takes seconds if busy.
vi.setConfig({ testTimeout: 120_000 });

const NEW = ['merchant', 'create', '--name', 'Kiosk', '--owner-email'];

const OLD_TOKEN = { base_url: '', api_token: '', webhook_secret: '' };
const SHAPE = {
  merchant_id: '',
  name: '',
  owner: { email: '', password_link: { url: '', sent: '', expires_at: '' } },
  sandbox: OLD_TOKEN,
  production: OLD_TOKEN,
};
const shapeOf = (value: unknown) =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'object' ? field : ''));

describe('gateway merchant', () => {
  it('prints one line of JSON in the agreed form, and nothing else', async () => {
    const { code, stdout, stderr } = await run(...NEW, 'json@example.com', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const merchant = JSON.parse(stdout);
    expect(shapeOf(merchant)).toBe(shapeOf(SHAPE));
    expect(merchant.sandbox.base_url).toBe('http://localhost:3000/api/sandbox');
    expect(merchant.production.base_url).toBe('http://localhost:3000/api/production');
    const token = hashToken(merchant.production.api_token);
    expect(await findActiveToken(database.pool, token, new Date())).toMatchObject({
      merchantId: merchant.merchant_id,
      environment: 'production',
    });
    expect(merchant.owner.password_link.url).toMatch(/3000\/dashboard\/new-password\/\w{43}$/);
  });
});

describe('a mistake', () => {
  it.each([
    ['an unknown merchant', ['merchant', 'suspend', 'mer_x'], 'There is no merchant mer_x'],
    ['an unknown command', ['merchant', 'delete'], 'unknown command'],
  ])('is told in words, with exit code 1: %s', async (_, args, words) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('names what keeps the database away, without its password', async () => {
    const url = 'postgresql://user:hidden@127.0.0.1:1/x';
    const { code, stderr } = await gateway(['merchant', 'list'], { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be reached');
    expect(stderr).not.toContain('hidden');
  });

  it('names the migration that the database lacks', async () => {
    const behind = await createTestDatabase(1);
    await behind.pool.query('DELETE FROM _prisma_migrations');
    const { code, stderr } = await gateway(['merchant', 'list'], { DATABASE_URL: behind.url });
    await behind.drop();
    expect(code).toBe(1);
    expect(stderr).toContain('lacks the migration 20261121000000_initial');
    expect(stderr).toContain('npm run migrate');
  });
});

describe('without the key of the database', () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  let shop: TestDatabase;
  let empty: string;
  beforeAll(async () => {
    shop = await createTestDatabase(1);
    empty = makeThrowAwayFolder();
    const variables = { DATABASE_URL: shop.url, SECRETS_KEY: key(1) };
    expect((await gateway([...NEW, 'key@example.com'], variables)).code).toBe(0);
  });
  afterAll(async () => {
    await shop.drop();
    rmSync(empty, { recursive: true });
  });
  const sealed = async () => (await shop.pool.query('SELECT sealed FROM signing_secrets')).rows;

  it('it refuses to work, and makes none', async () => {
    const before = await sealed();
    const given = { DATA_DIR: empty, DATABASE_URL: shop.url, SECRETS_KEY: key(2) };
    const { code, stdout, stderr } = await gateway([...NEW, 'other@example.com'], given);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('No secret in the database opens with SECRETS_KEY');
    expect(existsSync(join(empty, 'secrets.key'))).toBe(false);
    expect(await sealed()).toEqual(before);
  });

  it('with the old one and a new one it seals all anew', async () => {
    const keys = { SECRETS_KEY: key(2), SECRETS_KEY_PREVIOUS: key(1) };
    const { stdout } = await gateway(['secrets', 'reseal'], { DATABASE_URL: shop.url, ...keys });
    expect(stdout).toBe('Sealed anew: 2. Sealed with SECRETS_KEY before: 0.\n');
  });
});

describe('on the embedded PostgreSQL', () => {
  it('takes no new database for the gateway’s own', async () => {
    const { code, stdout, stderr } = await gateway([...NEW, 'lost@example.com']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`There is no database in ${dataDir} yet. Set DATABASE_URL`);
    expect(await findEmbedded(dataDir)).toBeNull();
  });

  let merchantId = '';
  it('starts it, sets it up, and stops it when no gateway runs', async () => {
    await (await startEmbedded({ dataDir })).stop();
    rememberPublicUrl(dataDir, 'http://localhost:4100');
    const { code, stdout } = await gateway([...NEW, 'alone@example.com', '--json']);
    expect(code).toBe(0);
    const merchant = JSON.parse(stdout);
    merchantId = merchant.merchant_id;
    expect(merchant.sandbox.base_url).toBe('http://localhost:4100/api/sandbox');
    expect(await findEmbedded(dataDir)).toBeNull();
  });

  it('works beside a running gateway and leaves its server alone', async () => {
    const server = await startEmbedded({ dataDir });
    const { stdout } = await gateway(['merchant', 'list', '--json'], { PORT: '4200' });
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect((await findEmbedded(dataDir))?.pid).toBe(server.pid);
    await server.stop();
  });

  it('leaves a server that it started to a gateway that came meanwhile', async () => {
    const command = gateway(['merchant', 'list', '--json']);
    let server = await findEmbedded(dataDir);
    while (!server) server = await findEmbedded(dataDir);
    const pool = openPool(server.url, 1);
    await pool.query('SELECT 1');
    expect((await command).code).toBe(0);
    expect((await pool.query('SELECT 1')).rowCount).toBe(1);
    await pool.end();
    await server.stop();
  });

  const seeding = () => ['demo', 'seed', '--merchant', merchantId, '--invoices', '40000'];

  it('leaves none running that it has started when a signal ends it', async () => {
    const { child, ended } = start(seeding());
    // A tenth is written, most is still to come. A loop over the stream would close it.
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (told) => `${told}`.includes('of 40,000') && resolve());
    });
    expect(await findEmbedded(dataDir)).not.toBeNull();
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(await findEmbedded(dataDir)).toBeNull();
  });

  it('ends without a word and leaves none running when nobody reads its output', async () => {
    for (const url of ['', database.url]) {
      const { child, ended } = start(['merchant', 'list'], { DATABASE_URL: url });
      child.stdout.destroy();
      let said = '';
      for await (const told of child.stderr) said += told;
      expect([said, ...(await ended)]).toEqual(['', 0, null]);
    }
    expect(await findEmbedded(dataDir)).toBeNull();
  });

  it('does so too where nobody reads how far it is, in the midst of its work', async () => {
    const { child, ended } = start(seeding());
    child.stderr.destroy();
    let said = '';
    for await (const told of child.stdout) said += told;
    expect([said, ...(await ended)]).toEqual(['', 0, null]);
    expect(await findEmbedded(dataDir)).toBeNull();
  });
});
