import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { NewestShown } from './newest-shown.tsx';

it('says how many there are of a list that is cut, and nothing of a whole one', () => {
  const write = (counts: { shown: number; total: number }) => JSON.stringify(counts);
  const rendered = (total: number) =>
    renderToStaticMarkup(createElement(NewestShown, { shown: 7, total, write }));
  expect(rendered(7)).toBe('');
  expect(rendered(8).match(/\d+/g)?.slice(-2)).toEqual(['7', '8']);
});
