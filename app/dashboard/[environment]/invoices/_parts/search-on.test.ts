import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { workEn } from '../../../_i18n/work-en.ts';
import { workRu } from '../../../_i18n/work-ru.ts';
import { SearchOn } from './search-on.tsx';

it.each([
  ['en', workEn.list, /status/],
  ['ru', workRu.list, /статус/],
] as const)('in %s a status is advised for filters and not for a search', (locale, t, status) => {
  const markup = (isSearch: boolean) =>
    renderToStaticMarkup(
      createElement(SearchOn, {
        ...{ t, locale, timeZone: 'UTC', searchedToMs: 0, href: '/?after=inv_1' },
        isSearch,
      }),
    );
  expect(markup(false)).toMatch(status);
  expect(markup(true)).not.toMatch(status);
  expect(markup(true)).toContain(t.narrowSearch);
});
