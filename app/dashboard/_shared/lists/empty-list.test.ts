import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { en } from '../../_i18n/en.ts';
import { EmptyList } from './empty-list.tsx';

it.each([
  [false, false, en.callbacks.empty],
  [true, false, en.callbacks.noMatch],
  [true, true, en.invoices.noOlder],
  [false, true, en.invoices.noOlder],
])('filtered: %s, after other pages: %s, it says “%s”', (isFiltered, isLaterPage, title) => {
  const shown = { t: en, words: en.callbacks, isFiltered, isLaterPage, path: '/list' };
  const markup = renderToStaticMarkup(createElement(EmptyList, shown));
  expect(markup).toContain(`>${title}</p>`);
  expect(markup.includes('href="/list"')).toBe(isFiltered && !isLaterPage);
});
