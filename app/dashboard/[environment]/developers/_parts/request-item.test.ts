import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ApiRequestItem } from '#server/trpc/rows.ts';
import { RequestItem } from './request-item.tsx';

const REQUEST: ApiRequestItem = {
  id: '1',
  at: new Date('2026-11-21T12:00:00.000Z'),
  requestId: 'req_1',
  method: 'POST',
  path: '/api/sandbox/invoice/create',
  status: 200,
  durationMs: 3,
  message: null,
  faults: [],
  invoiceId: null,
  merchantTransactionId: null,
  tokenName: null,
  skipped: 0,
};

function markupOf(part: Partial<ApiRequestItem>, locale: 'en' | 'ru'): string {
  const item = { request: { ...REQUEST, ...part }, locale, timeZone: 'UTC', base: '' };
  return renderToStaticMarkup(createElement(RequestItem, item));
}

const shown = (skipped: number, locale: 'en' | 'ru') => markupOf({ skipped }, locale);

it('how many requests before it were only counted stands after the words, for any number', () => {
  expect(shown(1, 'en')).toContain('>Counted but not kept before this: 1</p>');
  expect(shown(21, 'ru')).toContain('>Перед ним сосчитано, но не сохранено: 21</p>');
  expect(shown(0, 'en')).not.toContain('counted');
});

it('what the API said leads to its explanation', () => {
  const fault = {
    loc: ['body', 'amount'],
    msg: 'Input should be a valid integer, got a number with a fractional part',
    type: 'int_from_float',
  };
  expect(markupOf({ status: 422, faults: [fault] }, 'ru')).toContain(
    `<a href="/docs/ru/errors#int-from-float" class="link">${fault.msg}</a>`,
  );
  expect(markupOf({ status: 404, message: 'Invoice not found' }, 'en')).toContain(
    '<a href="/docs/errors#invoice-not-found" class="link">Invoice not found</a>',
  );
  expect(markupOf({ status: 404, message: 'Something else' }, 'en')).toContain(
    '>Something else</p>',
  );
});

it('of many faults the first five are shown and the others folded, unless that is one', () => {
  const faulty = (count: number) => {
    const faults = Array.from({ length: count }, (_, index) => {
      return { loc: ['body', 'positions', index, 'title'], msg: 'Too short', type: 'short' };
    });
    const markup = markupOf({ status: 422, faults }, 'en');
    const [open = '', folded = ''] = markup.split(/<summary[^>]*><span[^>]*>Other errors: \d+/);
    return [open, folded].map((part) => part.match(/Too short/g)?.length ?? 0);
  };
  expect(faulty(20)).toEqual([5, 15]);
  expect(faulty(7)).toEqual([5, 2]);
  expect(faulty(6)).toEqual([6, 0]);
  expect(faulty(1)).toEqual([1, 0]);
});
