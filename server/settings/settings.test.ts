import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demandPublicUrl, parseSettings, settings } from './settings.ts';

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gateway-env-'));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const parse = (variables: Record<string, string> = {}) =>
  parseSettings({ DATA_DIR: dataDir, ...variables });

describe('parseSettings', () => {
  it('has a preset for every setting', () => {
    expect(parse()).toMatchObject({
      isProduction: false,
      port: 3000,
      host: undefined,
      publicUrl: 'http://localhost:3000',
      publicUrlIsPreset: true,
      databaseUrl: null,
      dataDir,
      databasePoolSize: 10,
      webProcesses: 1,
      jobsDriver: 'embedded',
      callbackNetwork: 'local',
      rateLimitPerSecond: 200,
      rateLimitBurst: 1000,
      failedAuthPerMinute: 300,
      trustedProxyHops: 0,
      logLevel: 'info',
      demoMerchant: true,
      operatorsNeedSecondFactor: false,
      metricsToken: null,
      metricsPort: null,
    });
  });

  it('takes the port into the public URL, and writes it as browsers do', () => {
    expect(parse({ PORT: '4100' })).toMatchObject({
      publicUrl: 'http://localhost:4100',
      publicUrlIsPreset: false,
    });
    const { publicUrl } = parse({ PUBLIC_URL: 'HTTPS://Pay.Example.com:443//' });
    expect(publicUrl).toBe('https://pay.example.com');
  });

  it('lets nobody serve in production without a public URL that somebody has set', () => {
    const demand = (variables: Record<string, string>) => () => demandPublicUrl(parse(variables));
    const real = { NODE_ENV: 'production', DATABASE_URL: 'postgres://h/gateway', PORT: '3000' };
    expect(demand(real)).toThrow('PUBLIC_URL');
    expect(demand({ ...real, PUBLIC_URL: '' })).toThrow('PUBLIC_URL');
    expect(demand({ ...real, PUBLIC_URL: 'http://localhost:3000' })).not.toThrow();
    expect(demand({ ...real, NODE_ENV: 'development' })).not.toThrow();
  });

  it.each([
    ['http://localhost:3000', 'local'],
    ['http://pay.localhost', 'local'],
    ['http://127.0.0.2:80', 'local'],
    ['http://[::1]:3000', 'local'],
    ['https://pay.example.com', 'public'],
    ['https://localhost.example.com', 'public'],
    ['http://192.168.1.10:3000', 'public'],
  ])(
    'reached at %s it calls back on the %s network, and where that is public its operators need a second factor',
    (url, network) => {
      expect(parse({ PUBLIC_URL: url }).callbackNetwork).toBe(network);
      expect(parse({ PUBLIC_URL: url, CALLBACK_NETWORK: 'public' }).callbackNetwork).toBe('public');
      const isDemanded = (OPERATOR_SECOND_FACTOR = '') =>
        parse({ PUBLIC_URL: url, OPERATOR_SECOND_FACTOR }).operatorsNeedSecondFactor;
      expect(isDemanded()).toBe(network === 'public');
      expect(isDemanded('optional')).toBe(false);
      expect(isDemanded('required')).toBe(true);
    },
  );

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'pay.example.com'],
    ['PUBLIC_URL', 'ftp://pay.example.com'],
    ['PUBLIC_URL', 'https://user:word@pay.example.com'],
    ['PUBLIC_URL', 'https://pay.example.com/?a=b'],
    ['PUBLIC_URL', 'https://example.com/gateway'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_POOL_SIZE', '1'],
    ['WEB_PROCESSES', '0'],
    ['WEB_PROCESSES', 'auto'],
    ['JOBS_DRIVER', 'redis'],
    ['CALLBACK_NETWORK', 'all'],
    ['LOG_LEVEL', 'loud'],
    ['DEMO_MERCHANT', 'yes'],
    ['SECRETS_KEY', 'c2hvcnQ='],
    ['AUTH_SECRET', 'short'],
    ['TRUSTED_PROXY_HOPS', '99'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(() => parse({ [name]: value })).toThrow(name);
  });

  it.each(['https://user:word@pay.example.com', 'http:user:wo:word@rd'])(
    'repeats no password of %s',
    (url) => {
      const refused = () => parse({ PUBLIC_URL: url });
      expect(refused).toThrow('without query, fragment or password, but is "http');
      expect(refused).not.toThrow('word@');
    },
  );

  describe('with the inngest driver in production', () => {
    const signed = {
      NODE_ENV: 'production',
      JOBS_DRIVER: 'inngest',
      INNGEST_SIGNING_KEY: 'signkey-test-ab',
      INNGEST_EVENT_KEY: 'key',
    };

    it('takes signed traffic, at the public URL if nothing else is said', () => {
      expect(parse(signed).inngestServeOrigin).toBe('http://localhost:3000');
      expect(parse({ ...signed, INNGEST_DEV: '0' }).jobsDriver).toBe('inngest');
      const inside = { ...signed, INNGEST_SERVE_ORIGIN: 'HTTP://web.internal:3000/hook//' };
      expect(parse(inside).inngestServeOrigin).toBe('http://web.internal:3000/hook');
    });

    it.each([
      ['INNGEST_DEV', '1'],
      ['INNGEST_DEV', 'http://localhost:8288'],
      ['INNGEST_SIGNING_KEY', ''],
      ['INNGEST_EVENT_KEY', ''],
      ['INNGEST_SERVE_ORIGIN', 'web.internal'],
    ])('refuses to start when %s is "%s"', (name, value) => {
      expect(() => parse({ ...signed, [name]: value })).toThrow(name);
    });

    it('asks for none of it with the embedded driver, nor in development', () => {
      expect(parse({ NODE_ENV: 'production', INNGEST_DEV: '1' }).jobsDriver).toBe('embedded');
      expect(parse({ JOBS_DRIVER: 'inngest', INNGEST_DEV: '1' }).jobsDriver).toBe('inngest');
    });
  });

  it('keeps a password out of the message about DATABASE_URL', () => {
    expect(() => parse({ DATABASE_URL: 'mysql://u:hidden@h/x' })).toThrow(/^((?!hidden).)*$/s);
  });

  it('counts an empty variable as not set', () => {
    expect(parse({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  it('makes one secrets key and keeps it, for its owner only', () => {
    const first = parse().secretsKey;
    expect(first).toHaveLength(32);
    expect(parse().secretsKey).toEqual(first);
    const path = join(dataDir, 'secrets.key');
    expect(readFileSync(path, 'utf8').trim()).toBe(first.toString('base64'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('makes no key for a database of somebody’s own, and takes the one that is there', () => {
    const folder = join(dataDir, 'none-yet');
    const variables = { DATA_DIR: folder, DATABASE_URL: 'postgres://h/x' };
    const settings = parse(variables);
    expect(() => settings.secretsKey).toThrow('SECRETS_KEY is not set, and there is no file');
    expect(() => settings.authSecret).toThrow('SECRETS_KEY');
    expect(existsSync(folder)).toBe(false);
    const made = parse({ DATA_DIR: folder }).secretsKey;
    expect(settings.secretsKey).toEqual(made);
    expect(parse({ ...variables, AUTH_SECRET: 'x'.repeat(32) }).openingKeys).toEqual([made]);
  });

  it('takes no key before without the one that follows it', () => {
    const [before, now] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const previous = { SECRETS_KEY_PREVIOUS: before ?? '' };
    expect(() => parse(previous)).toThrow('SECRETS_KEY_PREVIOUS needs SECRETS_KEY beside it');
    const { openingKeys } = parse({ ...previous, SECRETS_KEY: now ?? '' });
    expect(openingKeys.map((key) => key[0])).toEqual([2, 1]);
  });

  it('derives the auth secret from the key, and takes a given one', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const derived = parse({ SECRETS_KEY: key }).authSecret;
    expect(derived).toHaveLength(43);
    expect(parse({ SECRETS_KEY: key }).authSecret).toBe(derived);
    expect(parse().authSecret).not.toBe(derived);
    const given = 'x'.repeat(32);
    expect(parse({ AUTH_SECRET: given }).authSecret).toBe(given);
  });
});

it('the settings of a process are one, also where this file is loaded twice', async () => {
  const first = settings();
  vi.stubEnv('PUBLIC_URL', 'https://of-a-file-read-in-between.example');
  vi.resetModules();
  const again = await import('./settings.ts');
  expect(again.settings).not.toBe(settings);
  expect(again.settings()).toBe(first);
  vi.unstubAllEnvs();
});
