import { expect, it } from 'vitest';
import { inEnvironment } from './other-environment.ts';

it('stays on the screen and keeps its filters, but no place in its list', () => {
  const at = (path: string, search = '') => inEnvironment('production', { path, search });
  expect(at('/dashboard/sandbox')).toBe('/dashboard/production');
  expect(at('/dashboard/sandbox', 'range=30')).toBe('/dashboard/production?range=30');
  expect(at('/dashboard/sandbox/developers/requests', 'outcome=failed&after=123')).toBe(
    '/dashboard/production/developers/requests?outcome=failed',
  );
  expect(at('/dashboard/sandbox/invoices', 'after=x')).toBe('/dashboard/production/invoices');
});

it('leads from a single thing to the list that it stood in', () => {
  const path = '/dashboard/production/invoices/inv_01m7zkrgegmh0g1qsqvdb76phjhcbn38bbb';
  expect(inEnvironment('sandbox', { path, search: 'attempt=2' })).toBe(
    '/dashboard/sandbox/invoices',
  );
});
