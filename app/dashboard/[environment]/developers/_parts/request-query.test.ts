import { expect, it } from 'vitest';
import { ENDPOINTS } from '#server/rest/routes.ts';
import { ENDPOINT_CHOICES } from './request-query.ts';

it('requests can be filtered by every endpoint whose requests are kept', () => {
  const kept = [...ENDPOINTS].filter(([, { isToolsOwn }]) => !isToolsOwn).map(([path]) => path);
  expect([...ENDPOINT_CHOICES]).toEqual(kept);
});
