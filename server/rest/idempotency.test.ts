import { expect, test } from 'vitest';
import { hashRequest, parseIdempotencyKey } from './idempotency.ts';

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

test('a body that differs in any one byte, or goes on after the end, is another', () => {
  const body = Buffer.alloc(2_000, 'x');
  const hashes = Array.from(body, (_, at) => {
    const other = Buffer.from(body);
    other[at] = 0x79;
    return hashRequest(other).toString('hex');
  });
  hashes.push(hashRequest(body).toString('hex'));
  hashes.push(hashRequest(Buffer.concat([body, body])).toString('hex'));
  expect(new Set(hashes).size).toBe(body.length + 2);
  expect(hashRequest(Buffer.from(body)).toString('hex')).toBe(hashes[body.length]);
});
