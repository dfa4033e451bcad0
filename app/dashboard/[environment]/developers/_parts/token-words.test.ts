import { expect, it } from 'vitest';
import { ENDPOINTS } from '#server/rest/routes.ts';
import { USES } from './token-words.ts';

it('every endpoint has words for what a token was last used for', () => {
  expect([...USES].sort()).toEqual([...ENDPOINTS.keys()].sort());
});
