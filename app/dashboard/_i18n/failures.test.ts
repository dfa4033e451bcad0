import { expect, test } from 'vitest';
import { ERRORS } from '#server/lib/error-codes.ts';
import { type ErrorCode, GatewayError } from '#server/lib/errors.ts';
import { failureInWords } from './failures.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

test.each(CODES)('%s names in Russian what it names in English', (code) => {
  const names = [...ERRORS[code][1].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
  const said = failureInWords({ code, values, message: '' }, 'ru');
  expect(said).toMatch(/[а-яё]/i);
  expect(said.match(/<\w+>/g) ?? []).toEqual(names.map((name) => `<${name}>`));
  expect(said).not.toContain('undefined');
});

test('says it in the reader’s language, with what it names', () => {
  const refusal = new GatewayError('already_member', { email: 'kim@shop.example' });
  expect(failureInWords(refusal, 'en')).toBe('kim@shop.example is on the team already.');
  expect(failureInWords(refusal, 'ru')).toBe('kim@shop.example уже в команде.');
});
