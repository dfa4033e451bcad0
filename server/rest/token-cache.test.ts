import { expect, test } from 'vitest';
import type { Tenant } from '../merchants/types.ts';
import { TokenCache } from './token-cache.ts';

const token = {
  tokenId: 'tok_1',
  tenant: { merchantId: 'mer_1', environment: 'sandbox' } as Tenant,
  expiresAtMs: null,
  scopes: [],
  networks: [],
};

function listeningCache(): TokenCache {
  const cache = new TokenCache();
  cache.listening();
  return cache;
}

test('a token is known for five seconds', () => {
  const cache = listeningCache();
  cache.put('h', token, cache.generation, 1000);
  expect(cache.get('h', 5999)).toBe(token);
  expect(cache.get('h', 6000)).toBeNull();
});

test('a token is not known past its own end', () => {
  const cache = listeningCache();
  cache.put('h', { ...token, expiresAtMs: 3000 }, cache.generation, 1000);
  expect(cache.get('h', 2999)).not.toBeNull();
  expect(cache.get('h', 3000)).toBeNull();
});

test('nothing is kept while changes would be missed', () => {
  const cache = new TokenCache();
  cache.put('h', token, cache.generation, 0);
  expect(cache.get('h', 0)).toBeNull();
  cache.listening();
  cache.put('h', token, cache.generation, 0);
  cache.deaf();
  expect(cache.get('h', 0)).toBeNull();
});

test('a lookup that began before a change is not kept after it', () => {
  const cache = listeningCache();
  const { generation } = cache;
  cache.clear();
  cache.put('h', token, generation, 0);
  expect(cache.get('h', 0)).toBeNull();
});

test('a clock that is set back makes a token unknown', () => {
  const cache = listeningCache();
  cache.put('h', token, cache.generation, 100_000);
  expect(cache.get('h', 10_000)).toBeNull();
});
