import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { SEAL_CONTEXTS, seal } from '../lib/encrypt.ts';
import { processWide } from '../lib/process-wide.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { createSigningSecret } from '../merchants/signing-secrets.ts';
import { log } from '../observability/log.ts';
import { settings } from '../settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { forgetSettings } from '../testing/settings.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';
import { checkSecretsKey, guardSecretsKey } from './secrets-key.ts';

const [KEY, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const AWAY = new Error('connect ECONNREFUSED');

let database: TestDatabase;
let dataDir: string;
beforeAll(() => vi.stubEnv('LOG_LEVEL', 'silent'));
afterAll(() => vi.unstubAllEnvs());
beforeEach(async () => {
  database = await createTestDatabase(2);
  dataDir = makeThrowAwayFolder();
  forgetLook();
  set({});
});
afterEach(async () => {
  vi.useRealTimers();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

/** Resets the process's single check. */
function forgetLook(): void {
  processWide('secrets-key', () => ({ hasBegun: false })).hasBegun = false;
}

function set(variables: Record<string, string>): void {
  const none = { SECRETS_KEY: '', SECRETS_KEY_PREVIOUS: '' };
  const given = { ...none, DATABASE_URL: database.url, DATA_DIR: dataDir, ...variables };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  forgetSettings();
}
const setKey = (key: Buffer) => set({ SECRETS_KEY: key.toString('base64') });
const file = () => join(dataDir, 'secrets.key');
const check = () => checkSecretsKey(database.pool);
const merchant = () =>
  createMerchant(database.pool, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now: new Date(),
  });

describe('the key, held against the database', () => {
  it('is made for a database without secrets, once, and taken from then on', async () => {
    await Promise.all([check(), check(), check()]);
    const made = readFileSync(file(), 'utf8');
    await merchant();
    await check();
    expect(readFileSync(file(), 'utf8')).toBe(made);
    expect(settings().secretsKey.toString('base64')).toBe(made.trim());
  });

  it('is made for a database before its first migration', async () => {
    const error = Object.assign(new Error('relation does not exist'), { code: '42P01' });
    await checkSecretsKey({ query: () => Promise.reject(error) });
    expect(existsSync(file())).toBe(true);
  });

  it('is refused where it is missing or another one, and nothing is made', async () => {
    setKey(KEY);
    await merchant();
    await check();
    set({});
    await expect(check()).rejects.toThrow(`SECRETS_KEY is not set and there is no ${file()}`);
    expect(existsSync(file())).toBe(false);
    setKey(OTHER);
    await expect(check()).rejects.toThrow('No secret in the database opens with SECRETS_KEY');
    // The gateway's own database does not make an invented key right either.
    set({ DATABASE_URL: '' });
    expect(settings().secretsKey).toHaveLength(32);
    await expect(check()).rejects.toThrow(`opens with the key in ${file()}`);
  });

  it('is told where it is when one was set after a start that made it', async () => {
    await check();
    await merchant();
    setKey(OTHER);
    await expect(check()).rejects.toThrow(
      `The key in ${file()} opens them. Set SECRETS_KEY_PREVIOUS to its content`,
    );
    const made = readFileSync(file(), 'utf8').trim();
    set({ SECRETS_KEY: OTHER.toString('base64'), SECRETS_KEY_PREVIOUS: made });
    await check();
  });

  it.each([
    ['of another database', `${KEY.toString('base64')}\n`],
    ['that is none', 'scribble'],
  ])('is not told to be in a file %s', async (_, content) => {
    await check();
    await merchant();
    writeFileSync(file(), content);
    setKey(OTHER);
    await expect(check()).rejects.toThrow('another key. Set SECRETS_KEY to the key of this');
  });

  it('is the right one though a secret does not open, and the log tells of it', async () => {
    const told = vi.spyOn(log(), 'error').mockReturnValue();
    onTestFinished(() => told.mockRestore());
    setKey(OTHER);
    await merchant();
    await guardSecretsKey(database.pool);
    expect(told).not.toHaveBeenCalled();
    forgetLook();
    setKey(KEY);
    await expect(check()).rejects.toThrow('No secret');
    const { rows } = await database.pool.query('SELECT id FROM users');
    const sealed = seal(KEY, 'app', SEAL_CONTEXTS.totp(rows[0].id));
    await database.pool.query('UPDATE users SET totp_pending = $1', [sealed]);
    await guardSecretsKey(database.pool);
    expect(told.mock.calls).toEqual([
      [{ lookedAt: 3, lost: 2 }, expect.stringContaining('gateway -- secrets reseal')],
    ]);
  });

  it('tells of an old secret that does not open behind however many new ones', async () => {
    const told = vi.spyOn(log(), 'error').mockReturnValue();
    onTestFinished(() => told.mockRestore());
    setKey(OTHER);
    await merchant();
    setKey(KEY);
    const { rows } = await database.pool.query('SELECT id FROM merchants');
    const owner = { merchantId: rows[0].id, environment: 'sandbox' } as const;
    for (let i = 0; i < 41; i++) {
      await createSigningSecret(database.pool, { ...owner, now: new Date(Date.now() + i) });
    }
    await guardSecretsKey(database.pool);
    expect(told.mock.calls).toEqual([
      [{ lookedAt: 40, lost: 2 }, expect.stringContaining('gateway -- secrets reseal')],
    ]);
  });
});

it('a key that cannot be kept is told of, and no database that is away', async () => {
  set({ DATA_DIR: '/proc/none/none' });
  await expect(guardSecretsKey(database.pool)).rejects.toThrow(
    /^SECRETS_KEY is not set, and no key can be made: The folder of the setting DATA_DIR/,
  );
});

/** A pool whose first statement fails. */
function awayAtFirst(): Pool {
  const query = vi.fn(database.pool.query.bind(database.pool) as (text: string) => Promise<never>);
  return { query: query.mockRejectedValueOnce(AWAY) } as unknown as Pool;
}

describe('a process that starts without its database', () => {
  it('and without a key ends with the reason why that is away', async () => {
    // The error of a host with two addresses.
    const query = vi.fn().mockRejectedValue(new AggregateError([AWAY], 'all of them'));
    await expect(guardSecretsKey({ query } as unknown as Pool)).rejects.toThrow(
      `cannot be asked: ${AWAY.message}`,
    );
  });

  it('ends when its key turns out to be another one', async () => {
    setKey(OTHER);
    await merchant();
    setKey(KEY);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const ended = new Promise<Error>((resolve) => {
      void guardSecretsKey(awayAtFirst(), resolve).then(() => vi.runOnlyPendingTimersAsync());
    });
    expect((await ended).message).toContain('No secret in the database opens');
  });

  it('is refused where it has no key', async () => {
    await expect(guardSecretsKey(awayAtFirst())).rejects.toThrow(
      /^SECRETS_KEY is not set, and whether .* asked: connect ECONNREFUSED$/,
    );
    expect(existsSync(file())).toBe(false);
  });
});
