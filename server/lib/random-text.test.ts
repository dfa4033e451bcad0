import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomText } from './random-text.ts';

describe('randomText', () => {
  it('has the asked length and only letters and digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (length) => {
        expect(randomText(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
      }),
    );
  });

  it('draws each character equally often', () => {
    const counts = new Map<string, number>();
    for (const character of randomText(62_000)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // Each count is near 1,000; 220 is seven standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(225);
  });
});
