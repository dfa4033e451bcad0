import { expect, it } from 'vitest';
import { filled, firstOf } from './question-text.ts';

it('fills every place once, whatever the values hold', () => {
  const values = { what: '{host} $& {what}', host: 'shop.example' };
  expect(filled('{what}: {host} is told', values)).toBe('{host} $& {what}: shop.example is told');
});

it('leaves a place that has no value', () => {
  expect(filled('{other}', { what: 'x' })).toBe('{other}');
});

it('cuts no emoji in two', () => {
  expect(firstOf('a😀b', 2)).toBe('a😀');
  expect(firstOf(`${'a'.repeat(119)}😀b`, 120)).toBe(`${'a'.repeat(119)}😀`);
});
