import { expect, it } from 'vitest';
import { targetHref } from './audit-target.ts';

it.each([
  ['invoice.cancel', 'invoice', '/b/invoices/i%2F1'],
  ['callback.resend', 'invoice', '/b/callbacks/i%2F1'],
  ['token.deactivate', 'token', '/b/developers#tokens'],
  ['member.invite', 'invitation', '/b/team'],
  ['member.role', 'user', '/b/team'],
  ['session.sign_in', 'user', null],
  ['callback.test', 'host', null],
])('%s of a %s leads to %s', (action, type, href) => {
  expect(targetHref({ action, target: { type, id: 'i/1' } }, '/b')).toBe(href);
});

it('an entry about nothing leads nowhere', () => {
  expect(targetHref({ action: 'session.sign_in', target: null }, '/b')).toBeNull();
});
