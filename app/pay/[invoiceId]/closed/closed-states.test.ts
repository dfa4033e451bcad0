import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { translatorOf } from '#server/i18n/translator.ts';
import { HOLD_MS } from '#server/payments/timing.ts';
import { Processing } from './closed-states.tsx';

it.each([
  ['en', 'minutes'],
  ['ru', 'минут'],
  ['uz', 'daqiqa'],
] as const)('how long an acquirer keeps the invoice is said as it is, in %s', (locale, word) => {
  const t = translatorOf(locale, 'pay');
  const markup = renderToStaticMarkup(
    createElement(Processing, { t, invoiceId: 'inv_1', method: 'Payme' }),
  );
  expect(markup).toContain(`${HOLD_MS / 60_000} ${word}`);
});
