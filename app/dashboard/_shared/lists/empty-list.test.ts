import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { messagesAt } from '#server/i18n/translator.ts';
import { EmptyList } from './empty-list.tsx';

const en = messagesAt('en', 'dashboard');

it.each([
  [false, false, en.callbacks.empty],
  [true, false, en.callbacks.noMatch],
  [true, true, en.invoices.noOlder],
  [false, true, en.invoices.noOlder],
])('filtered: %s, after other pages: %s, it says “%s”', (isFiltered, isLaterPage, title) => {
  const shown = {
    locale: 'en' as const,
    words: en.callbacks,
    isFiltered,
    isLaterPage,
    path: '/list',
  };
  const markup = renderToStaticMarkup(createElement(EmptyList, shown));
  expect(markup).toContain(`>${title}</p>`);
  expect(markup.includes('href="/list"')).toBe(isFiltered && !isLaterPage);
});
