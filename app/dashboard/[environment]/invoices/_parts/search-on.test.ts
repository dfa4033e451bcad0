import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { messagesAt } from '#server/i18n/translator.ts';
import { SearchOn } from './search-on.tsx';

it.each([
  ['en', /status/],
  ['ru', /статус/],
] as const)('in %s a status is advised for filters and not for a search', (locale, status) => {
  const markup = (isSearch: boolean) =>
    renderToStaticMarkup(
      createElement(SearchOn, {
        ...{ locale, timeZone: 'UTC', searchedToMs: 0, href: '/?after=inv_1' },
        isSearch,
      }),
    );
  expect(markup(false)).toMatch(status);
  expect(markup(true)).not.toMatch(status);
  expect(markup(true)).toContain(messagesAt(locale, 'dashboard.invoices').narrowSearch);
});
