import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { AcquirerAccountView } from '#server/trpc/rows.ts';
import { Standing } from './account-item.tsx';

const ACCOUNT = {
  isEnabled: true,
  calledAtMs: null,
  callFault: null,
  checkedAtMs: 1_795_000_000_000,
  checkFault: null,
  isProven: true,
  downSinceMs: null,
  failure: null,
} as AcquirerAccountView;

const FAULT = { code: 'credentials_refused', detail: '401' } as const;

function badgeOf(account: Partial<AcquirerAccountView>): string {
  const standing = createElement(Standing, { account: { ...ACCOUNT, ...account }, locale: 'en' });
  return renderToStaticMarkup(standing).replaceAll(/<[^>]*>/g, '');
}

it.each<[string, Partial<AcquirerAccountView>]>([
  ['Offered', {}],
  ['Offered', { checkedAtMs: null, isProven: false }],
  ['Offered, needs attention', { checkFault: FAULT, isProven: false }],
  ['Offered, needs attention', { callFault: FAULT, isProven: false }],
  ['Offered last', { checkFault: FAULT, downSinceMs: 1_795_000_000_000, failure: '500' }],
  ['Off', { isEnabled: false, checkFault: FAULT }],
])('the badge says "%s" of an account with %o', (badge, account) => {
  expect(badgeOf(account)).toBe(badge);
});
