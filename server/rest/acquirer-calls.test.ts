import { afterAll, expect, test, vi } from 'vitest';
import { newId } from '../lib/ids.ts';
import { freePort } from '../testing/ports.ts';
import { forgetSettings, withOwnDataDir } from '../testing/settings.ts';
import { handleAcquirerCall } from './acquirer-calls.ts';

withOwnDataDir();
afterAll(() => vi.unstubAllEnvs());

test.each(['payme', 'click', 'multicard'])(
  '%s: without a database the answer is exactly 500, after which the call comes again',
  async (provider) => {
    vi.stubEnv('DATABASE_URL', `postgres://nobody@127.0.0.1:${await freePort()}/nothing`);
    forgetSettings();
    const answer = await handleAcquirerCall({
      method: 'POST',
      path: `/api/acquirers/${provider}/${newId('acq', Date.now())}`,
      query: new URLSearchParams(),
      header: () => null,
      readBody: async () => Buffer.from('{}'),
      remoteAddress: '127.0.0.1',
    });
    expect(answer).toMatchObject({ status: 500, body: 'Internal server error' });
  },
);
