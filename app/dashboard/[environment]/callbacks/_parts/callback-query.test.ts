import { expect, it } from 'vitest';
import { readCallbackQuery, toCallbackFilters } from './callback-query.ts';

it('takes two days in either order', () => {
  const turned = { from: '2026-11-02', to: '2026-02-01' };
  expect(readCallbackQuery(turned)).toMatchObject({ from: '2026-02-01', to: '2026-11-02' });
});

it('a host is the same in whatever characters', () => {
  expect(readCallbackQuery({ host: ' Ｓhop。Example\u200b' }).host).toBe('shop.example');
});

it('a day lasts in the viewer’s zone until the next one begins', () => {
  const days = { from: '2026-11-20', to: '2026-11-21' };
  expect(toCallbackFilters(readCallbackQuery(days), 'Asia/Tashkent')).toMatchObject({
    fromMs: Date.parse('2026-11-19T19:00:00.000Z'),
    untilMs: Date.parse('2026-11-21T19:00:00.000Z'),
  });
});
