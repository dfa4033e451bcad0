import { expect, it } from 'vitest';
import { shortened } from './question-text.ts';

it('says that a text goes on, and cuts no emoji in two', () => {
  const whole = `${'a'.repeat(119)}😀`;
  expect(shortened(whole)).toBe(whole);
  expect(shortened(`${whole}b`)).toBe(`${whole}…`);
});
