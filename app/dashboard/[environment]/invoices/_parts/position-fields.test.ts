import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { MessagesProvider } from '#app/_i18n/messages-provider.tsx';
import { pickMessages } from '#server/i18n/translator.ts';
import { PositionFields } from './position-fields.tsx';

it('has no names, so that a browser without the script sends nothing that was typed', () => {
  const positions = [{ key: 0, title: 'Coffee', amount: '1.00' }];
  const [description, reference, successUrl, errorUrl, callbackUrl] = ['', '', '', '', ''];
  const texts = { description, reference, successUrl, errorUrl, callbackUrl };
  const children = createElement(PositionFields, {
    locale: 'en',
    draft: { ...texts, amount: '', currency: 'USD', hours: 1, positions },
    faults: {},
    onChange: () => undefined,
  });
  const words = pickMessages('en', ['dashboard.create']);
  const markup = renderToStaticMarkup(createElement(MessagesProvider, { ...words, children }));
  expect(markup).toContain('value="Coffee"');
  expect(markup).not.toContain(' name=');
});
