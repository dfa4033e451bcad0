import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { NewMerchantView } from '#server/trpc/rows.ts';
import { en } from '../_i18n/en.ts';
import { Credentials } from './merchant-form.tsx';

const keys = { apiToken: 'token', webhookSecret: 'secret' };

function linesOf(sandbox: object): string[] {
  const made = {
    merchantId: 'mer_1',
    name: 'Shop',
    owner: { email: 'owner@example.com', password: null },
    sandbox: { ...keys, ...sandbox },
    production: keys,
  } as NewMerchantView;
  const markup = renderToStaticMarkup(
    createElement(Credentials, { made, t: en, again: () => undefined }),
  );
  const [, ofSandbox = ''] = markup.split(`>${en.merchants.sandbox}<`);
  const [untilProduction = ''] = ofSandbox.split(`>${en.merchants.production}<`);
  return [...untilProduction.matchAll(/<dt[^>]*>([^<]*)</g)].map(([, name = '']) => name);
}

it('prints no empty address where a web of the version before sent none', () => {
  const { baseUrl, token, secret } = en.create;
  expect(linesOf({ baseUrl: 'https://pay.example/api/sandbox' })).toEqual([baseUrl, token, secret]);
  expect(linesOf({})).toEqual([token, secret]);
});
