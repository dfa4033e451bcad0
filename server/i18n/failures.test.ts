import { expect, test } from 'vitest';
import { ERRORS } from '../lib/error-codes.ts';
import { type ErrorCode, GatewayError } from '../lib/errors.ts';
import { messagesAt, translatorOf } from './translator.ts';

test('what the catalogue says in English is what the server says', () => {
  const english = Object.entries(ERRORS).map(([code, [, text]]) => [code, text]);
  expect(messagesAt('en', 'failures')).toEqual(Object.fromEntries(english));
});

test.each(Object.keys(ERRORS) as ErrorCode[])('%s names in Russian what it is about', (code) => {
  const names = [...ERRORS[code][1].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
  const said = translatorOf('ru', 'failures')(code, values);
  expect(said).toMatch(/[а-яё]/i);
  expect(said.match(/<\w+>/g) ?? []).toEqual(names.map((name) => `<${name}>`));
});

test('a refusal is said in the reader’s language, with what it names', () => {
  const { code, values, message } = new GatewayError('already_member', {
    email: 'kim@shop.example',
  });
  expect(translatorOf('en', 'failures')(code, values)).toBe(message);
  expect(translatorOf('ru', 'failures')(code, values)).toBe('kim@shop.example уже в команде.');
});
