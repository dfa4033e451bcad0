import { expect, it } from 'vitest';
import { peopleEn } from '../../_i18n/people-en.ts';
import { refusalText } from './refusal-text.ts';

const t = peopleEn.providers;

it.each([
  ['unknown', t.unknown],
  ['unverified', t.unverified],
  ['failed', t.unreachable],
  ['Callback', t.unreachable],
  ['OAuthSignin', t.failed],
  ['OAuthCallback', t.failed],
  ['AccessDenied', t.failed],
])('tells what the provider refused from what the gateway could not do: %s', (error, text) => {
  expect(refusalText(error, t)).toBe(text);
});
