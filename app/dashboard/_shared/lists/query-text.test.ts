import { expect, it } from 'vitest';
import { hasAny, queryString } from './query-text.ts';

it('an address has the filters that are set, and what is asked for beside them', () => {
  const query = { state: 'exhausted', host: '' };
  expect(queryString(query)).toBe('?state=exhausted');
  expect(queryString(query, { state: '', host: 'a b', after: '1-x' })).toBe('?host=a+b&after=1-x');
  expect(queryString({ state: '' })).toBe('');
  expect([hasAny(query), hasAny({ state: '' })]).toEqual([true, false]);
});
