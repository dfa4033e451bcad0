import { expect, it } from 'vitest';
import { filled, shortened } from './question-text.ts';

it('fills every place once, whatever the values hold', () => {
  const values = { what: '{host} $& {what}', host: 'shop.example' };
  expect(filled('{what}: {host} is told', values)).toBe('{host} $& {what}: shop.example is told');
});

it('a value keeps its direction to itself', () => {
  expect(filled('{what}: it is told', { what: 'tea\u202e' })).toBe(
    '\u2068tea\u202e\u2069: it is told',
  );
});

it('a number needs no marks around it', () => {
  expect(filled('{shown} of {total}', { shown: 7, total: 8 })).toBe('7 of 8');
});

it('leaves a place that has no value', () => {
  expect(filled('{other}', { what: 'x' })).toBe('{other}');
});

it('says that a text goes on, and cuts no emoji in two', () => {
  const whole = `${'a'.repeat(119)}😀`;
  expect(shortened(whole)).toBe(whole);
  expect(shortened(`${whole}b`)).toBe(`${whole}…`);
});
