import { expect, it } from 'vitest';
import { filled, firstOf, isolated } from './question-text.ts';

it('fills every place once, whatever the values hold', () => {
  const values = { what: '{host} $& {what}', host: 'shop.example' };
  expect(filled('{what}: {host} is told', values)).toBe(
    '\u2068{host} $& {what}\u2069: \u2068shop.example\u2069 is told',
  );
});

it('a text keeps its direction to itself, whatever marks it holds', () => {
  expect(filled('{what}: it is told', { what: 'tea\u202e' })).toBe(
    '\u2068tea\u202e\u2069: it is told',
  );
  // One that ends the isolation early, one that would use up its end.
  expect(isolated('tea\u2069\u202e')).toBe('\u2068tea\u202e\u2069');
  for (const begin of ['\u2066', '\u2067', '\u2068']) {
    expect(isolated(`\u202etea${begin}`)).toBe('\u2068\u202etea\u2069');
  }
});

it('a number needs no marks around it', () => {
  expect(filled('{shown} of {total}', { shown: 7, total: 8 })).toBe('7 of 8');
});

it('leaves a place that has no value', () => {
  expect(filled('{other}', { what: 'x' })).toBe('{other}');
});

it('cuts no emoji in two', () => {
  expect(firstOf('a😀b', 2)).toBe('a😀');
  expect(firstOf(`${'a'.repeat(119)}😀b`, 120)).toBe(`${'a'.repeat(119)}😀`);
});
