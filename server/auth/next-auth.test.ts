import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getServerSession } from 'next-auth';
import { encode } from 'next-auth/jwt';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { settings } from '../settings/settings.ts';

type Authorize = (given: Record<string, string>) => Promise<unknown>;

const written = vi.hoisted(() => [] as string[]);
vi.mock('../observability/log.ts', async (original) => {
  const real = await original<typeof import('../observability/log.ts')>();
  const logger = real.createLogger('error', { write: (line) => void written.push(line) });
  return { ...real, log: () => logger };
});

beforeAll(() => {
  // Nothing listens there.
  vi.stubEnv('DATABASE_URL', 'postgresql://gateway:secret@127.0.0.1:1/gateway');
  vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 1).toString('base64'));
});
beforeEach(() => void written.splice(0));
afterAll(() => vi.unstubAllEnvs());

async function optionsOf(stillOpen: (error: unknown) => void = () => undefined) {
  const { authOptions } = await import('./next-auth.ts');
  const caller = {
    address: null,
    addressKey: 'test',
    userAgent: null,
    requestId: 'req_1',
    browserMarks: null,
    sessionBefore: null,
  };
  return authOptions(caller, { stillOpen, known: () => undefined });
}

it('a fault of ours in a sign-in is told without its words', async () => {
  const { providers } = await optionsOf();
  const { authorize } = (providers[0] as unknown as { options: { authorize: Authorize } }).options;
  await expect(authorize({ email: 'a@example.com', password: 'x' })).rejects.toThrow(/^failed$/);
  expect(written.join()).toContain('ECONNREFUSED');
});

it('nor of a sign-in by a provider, which would show them in the address bar', async () => {
  const { callbacks } = await optionsOf();
  const account = { type: 'oauth', provider: 'oidc', providerAccountId: '1' } as const;
  const asked = callbacks?.signIn?.({ user: { id: '1', email: 'a@example.com' }, account });
  await expect(asked).rejects.toThrow(/^failed$/);
  expect(written.join()).toContain('ECONNREFUSED');
});

it('a session that could not be ended is told of', async () => {
  const heard: unknown[] = [];
  const { events } = await optionsOf((error) => void heard.push(error));
  const session = { user: {}, expires: '' };
  await events?.signOut?.({ session, token: { sub: 'ses_1' } });
  expect(heard).toEqual([expect.objectContaining({ code: 'ECONNREFUSED' })]);
});

it('the log tells why next-auth failed, whichever way it says so, and nothing of a person', async () => {
  const error = (await optionsOf()).logger?.error;
  error?.('SESSION_ERROR', new Error('plain'));
  const more = { providerId: 'oidc', OAuthProfile: { email: 'a@example.com' } };
  error?.('OAUTH_CALLBACK_ERROR', { error: new Error('wrapped'), ...more });
  const lines = written.map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({ code: 'SESSION_ERROR', msg: 'next-auth failed' }),
    expect.objectContaining({ code: 'OAUTH_CALLBACK_ERROR', provider: 'oidc' }),
  ]);
  expect(lines.map(({ err }) => err.message)).toEqual(['plain', 'wrapped']);
  expect(written.join()).not.toContain('a@example.com');
});

it('a cookie that nobody can read writes nothing into the log, for anybody can send it', async () => {
  const options = await optionsOf();
  const cookies = { 'next-auth.session-token': 'a.b.c.d.e' };
  const request = Object.assign(new IncomingMessage(new Socket()), { cookies });
  expect(await getServerSession(request, new ServerResponse(request), options)).toBeNull();
  options.logger?.error?.('SIGNOUT_ERROR', new Error('decryption operation failed'));
  expect(written).toEqual([]);
});

it('a header of cookies has a session where one is of ours, alone or among others', async () => {
  const { hasSession } = await import('./next-auth.ts');
  const token = await encode({ token: { sub: 'ses_1' }, secret: settings().authSecret });
  const name = 'next-auth.session-token';
  for (const others of ['', 'theme=dark; ', 'a; =b; c=d=e;']) {
    expect(await hasSession(`${others}${name}=${token}`)).toBe(true);
    expect(await hasSession(`${others}${name}=${token.slice(0, -1)}`)).toBe(false);
    expect(await hasSession(`${others}${name}=a.b.c.d.e`)).toBe(false);
  }
  // Imitates a cookie that a browser splits into pieces.
  const pieces = `${name}.0=${token.slice(0, 50)}; ${name}.1=${token.slice(50)}`;
  expect(await hasSession(pieces)).toBe(true);
});

it.each([
  ['/dashboard', 'https://pay.example/dashboard'],
  ['https://pay.example/dashboard?a=b', 'https://pay.example/dashboard?a=b'],
  ['https://evil.example/', 'https://pay.example'],
  ['http://pay.example/dashboard', 'https://pay.example'],
  ['//evil.example/', 'https://pay.example'],
  ['https://', 'https://pay.example'],
  ['javascript:alert(1)', 'https://pay.example'],
])('leads from a sign-in by %s to %s', async (url, to) => {
  const { callbacks } = await optionsOf();
  expect(await callbacks?.redirect?.({ url, baseUrl: 'https://pay.example' })).toBe(to);
});
