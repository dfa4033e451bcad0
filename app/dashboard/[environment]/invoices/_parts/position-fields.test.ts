import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { workEn } from '../../../_i18n/work-en.ts';
import { PositionFields } from './position-fields.tsx';

it('has no names, so that a browser without the script sends nothing that was typed', () => {
  const positions = [{ key: 0, title: 'Coffee', amount: '1.00' }];
  const [description, reference, successUrl, errorUrl, callbackUrl] = ['', '', '', '', ''];
  const texts = { description, reference, successUrl, errorUrl, callbackUrl };
  const markup = renderToStaticMarkup(
    createElement(PositionFields, {
      t: workEn.create,
      locale: 'en',
      draft: { ...texts, currency: 'USD', hours: 1, positions },
      faults: {},
      onChange: () => undefined,
    }),
  );
  expect(markup).toContain('value="Coffee"');
  expect(markup).not.toContain(' name=');
});
