import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seal, unseal } from './encrypt.ts';

const key = randomBytes(32);

describe('seal', () => {
  it('gives back any text under the same key and context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        expect(unseal(key, seal(key, text, context), context)).toBe(text);
      }),
    );
  });

  it('opens with no other key, in no other context, after no change of a bit', () => {
    const sealed = seal(key, 'secret', 'here');
    expect(() => unseal(randomBytes(32), sealed, 'here')).toThrow('SECRETS_KEY');
    expect(() => unseal(key, sealed, 'there')).toThrow('SECRETS_KEY');
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const changed = Buffer.from(sealed);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(() => unseal(key, changed, 'here')).toThrow();
      }),
    );
    expect(() => unseal(key, sealed.subarray(0, 20), 'here')).toThrow('malformed');
  });

  it('never makes the same bytes twice', () => {
    expect(seal(key, 'secret', 'here')).not.toEqual(seal(key, 'secret', 'here'));
  });
});
