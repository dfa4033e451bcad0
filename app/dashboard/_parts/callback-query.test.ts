import { expect, it } from 'vitest';
import { readCallbackQuery } from './callback-query.ts';

it('takes two days in either order', () => {
  const turned = { from: '2026-11-02', to: '2026-02-01' };
  expect(readCallbackQuery(turned)).toMatchObject({ from: '2026-02-01', to: '2026-11-02' });
});
