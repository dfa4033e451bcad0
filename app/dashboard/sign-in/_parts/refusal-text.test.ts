import { expect, it } from 'vitest';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import { refusalText } from './refusal-text.ts';

const t = messagesAt('en', 'dashboard.providers');

it.each([
  ['unknown', t.unknown],
  ['unverified', t.unverified],
  ['failed', t.unreachable],
  ['Callback', t.unreachable],
  ['OAuthSignin', t.failed],
  ['OAuthCallback', t.failed],
  ['AccessDenied', t.failed],
])('tells what the provider refused from what the gateway could not do: %s', (error, text) => {
  expect(refusalText(error, translatorOf('en', 'dashboard.providers'))).toBe(text);
});
