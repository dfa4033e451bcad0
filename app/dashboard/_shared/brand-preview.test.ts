import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { MessagesProvider } from '#app/_i18n/messages-provider.tsx';
import { pickMessages } from '#server/i18n/translator.ts';
import { BrandPreview, HOUSE } from './brand-preview.tsx';

it('the colours of the house in the preview are those of the stylesheet', () => {
  const css = readFileSync('app/globals.css', 'utf8');
  const valuesOf = (token: string) =>
    [...css.matchAll(new RegExp(`^ +${token}: (#[0-9a-f]{6});$`, 'gm'))].map(([, value]) => value);
  const { light, dark } = HOUSE;
  expect(valuesOf('--accent')).toEqual([light.background, dark.background]);
  expect(valuesOf('--on-accent')).toEqual([light.text, dark.text]);
});

it('both themes keep their colours where colours are forced: they are what is shown', () => {
  const brand = { name: 'Shop', logoUrl: null, color: '#0f766e' };
  const children = createElement(BrandPreview, { ...brand, locale: 'en' });
  const words = pickMessages('en', ['dashboard.settings']);
  const markup = renderToStaticMarkup(createElement(MessagesProvider, { ...words, children }));
  expect(markup.match(/<div aria-hidden="true" class="swatch /g)).toHaveLength(2);
});
