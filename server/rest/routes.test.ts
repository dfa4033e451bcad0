import { expect, test } from 'vitest';
import { ENDPOINTS, findRoute } from './routes.ts';

test('what drives the sandbox is not there in production, and all else is in both', () => {
  const paths = [...ENDPOINTS.keys()];
  expect(paths.filter((path) => findRoute(`/api/sandbox${path}`) === null)).toEqual([]);
  expect(paths.filter((path) => findRoute(`/api/production${path}`) === null)).toEqual(
    paths.filter((path) => path.startsWith('/test/')),
  );
});

test.each(['/api/live/invoice/create', '/API/sandbox/invoice/create', '/api/sandbox'])(
  'nothing is at %s',
  (path) => {
    expect(findRoute(path)).toBeNull();
  },
);
