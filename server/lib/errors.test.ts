import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { reasonOf } from './errors.ts';

it('a host with two addresses has two reasons why it cannot be reached', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const lookup: LookupFunction = (_host, _options, done) => done(null, addresses);
  const [error] = await once(connect({ host: 'two', port: 1, lookup }), 'error').catch((e) => [e]);
  expect(error).toMatchObject({ message: '' });
  expect(reasonOf(error)).toMatch(/^connect E\w+ 127\.0\.0\.1:1, connect E\w+ 127\.0\.0\.2:1$/);
});

it.each([
  ['words', new Error('words')],
  ['TypeError', new TypeError(undefined)],
  ['of all', new AggregateError([], 'of all')],
  ['words', 'words'],
])('the reason is never empty: %s', (reason, error) => {
  expect(reasonOf(error)).toBe(reason);
});
