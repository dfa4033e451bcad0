import { expect, test } from 'vitest';
import { ERRORS } from '../lib/error-codes.ts';
import { type ErrorCode, GatewayError } from '../lib/errors.ts';
import { messagesAt, translatorOf } from './translator.ts';

test('what the catalogue says in English is what the server says', () => {
  const english = Object.entries(ERRORS).map(([code, [, text]]) => [code, text]);
  expect(messagesAt('en', 'failures')).toEqual(Object.fromEntries(english));
});

const codes = Object.keys(ERRORS) as ErrorCode[];

test.each([
  ['ru', /[а-яё]/i],
  ['uz', /[a-z]/i],
] as const)('a failure names in %s what it is about', (locale, letters) => {
  for (const code of codes) {
    const names = [...ERRORS[code][1].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
    const said = translatorOf(locale, 'failures')(code, values);
    expect(said, code).toMatch(letters);
    expect(said, code).not.toBe(translatorOf('en', 'failures')(code, values));
    expect((said.match(/<\w+>/g) ?? []).sort(), code).toEqual(
      names.map((name) => `<${name}>`).sort(),
    );
  }
});

test('a refusal is said in the reader’s language, with what it names', () => {
  const { code, values, message } = new GatewayError('already_member', {
    email: 'kim@shop.example',
  });
  expect(translatorOf('en', 'failures')(code, values)).toBe(message);
  expect(translatorOf('ru', 'failures')(code, values)).toBe('kim@shop.example уже в команде.');
  expect(translatorOf('uz', 'failures')(code, values)).toBe('kim@shop.example allaqachon jamoada.');
});
