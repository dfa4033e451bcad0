import { afterAll, beforeAll, expect, it, vi } from 'vitest';

type Authorize = (given: Record<string, string>) => Promise<unknown>;

beforeAll(() => {
  // Nobody listens there.
  vi.stubEnv('DATABASE_URL', 'postgresql://gateway:secret@127.0.0.1:1/gateway');
  vi.stubEnv('LOG_LEVEL', 'silent');
});
afterAll(() => vi.unstubAllEnvs());

async function optionsOf() {
  const { authOptions } = await import('./next-auth.ts');
  return authOptions({ address: null, addressKey: 'test', userAgent: null });
}

it('a fault of ours in a sign-in is told without its words', async () => {
  const { providers } = await optionsOf();
  const { authorize } = (providers[0] as unknown as { options: { authorize: Authorize } }).options;
  await expect(authorize({ email: 'a@example.com', password: 'x' })).rejects.toThrow(/^failed$/);
});

it('nor of a sign-in by a provider, which would show them in the address bar', async () => {
  const { callbacks } = await optionsOf();
  const account = { type: 'oauth', provider: 'oidc', providerAccountId: '1' } as const;
  const asked = callbacks?.signIn?.({ user: { id: '1', email: 'a@example.com' }, account });
  await expect(asked).rejects.toThrow(/^failed$/);
});

it.each([
  ['/dashboard', 'https://pay.example/dashboard'],
  ['https://pay.example/dashboard?a=b', 'https://pay.example/dashboard?a=b'],
  ['https://evil.example/', 'https://pay.example'],
  ['//evil.example/', 'https://pay.example'],
  ['https://', 'https://pay.example'],
  ['javascript:alert(1)', 'https://pay.example'],
])('leads from a sign-in by %s to %s', async (url, to) => {
  const { callbacks } = await optionsOf();
  expect(await callbacks?.redirect?.({ url, baseUrl: 'https://pay.example' })).toBe(to);
});
