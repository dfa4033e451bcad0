import { expect, test } from 'vitest';
import { parseIdempotencyKey } from './idempotency.ts';

test.each(['x', ' ~', 'x'.repeat(255)])('%s is a key', (key) => {
  expect(parseIdempotencyKey(key)).toEqual({ ok: true, key });
});

test.each([
  ['', ['string_too_short']],
  ['x'.repeat(256), ['string_too_long']],
  ['a\tb', ['string_pattern_mismatch']],
  ['a\x1fb', ['string_pattern_mismatch']],
  ['a\x7fb', ['string_pattern_mismatch']],
  ['é'.repeat(256), ['string_too_long', 'string_pattern_mismatch']],
])('all that is wrong with a key comes at once: %s', (key, types) => {
  const loc = ['header', 'Idempotency-Key'];
  const detail = types.map((type) => expect.objectContaining({ loc, type }));
  expect(parseIdempotencyKey(key)).toEqual({ ok: false, detail });
});
