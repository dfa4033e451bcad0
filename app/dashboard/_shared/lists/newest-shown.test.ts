import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { callbacksEn } from '../../_i18n/callbacks-en.ts';
import { callbacksRu } from '../../_i18n/callbacks-ru.ts';
import { en } from '../../_i18n/en.ts';
import { ru } from '../../_i18n/ru.ts';
import { NewestShown } from './newest-shown.tsx';

const PAYMENTS = [en, ru].map(({ invoice }) => invoice.newestPayments);

it.each([callbacksEn, callbacksRu].map(({ newestShown }) => newestShown).concat(PAYMENTS))(
  'says how many there are of a list that is cut, and nothing of a whole one',
  (text) => {
    const rendered = (total: number) =>
      renderToStaticMarkup(createElement(NewestShown, { text, shown: 7, total }));
    expect(rendered(7)).toBe('');
    expect(rendered(8).match(/\d+/g)?.slice(-2)).toEqual(['7', '8']);
  },
);
