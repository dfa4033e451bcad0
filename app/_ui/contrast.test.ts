import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brandOn, contrastRatio, parseHex, SURFACES } from './contrast.ts';

const channel = fc.integer({ min: 0, max: 255 });
const color = fc
  .tuple(channel, channel, channel)
  .map((channels) => `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`);

test('black on white is 21, a colour on itself 1', () => {
  expect(contrastRatio('#000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  fc.assert(fc.property(color, (each) => Math.abs(contrastRatio(each, each) - 1) < 1e-9));
});

test('only hex colours are read', () => {
  expect(parseHex('#0af')).toEqual([0, 170, 255]);
  for (const text of ['', 'red', '#12', '#12345g', '#1234567', 'url(#fff)', '#fff;}']) {
    expect(parseHex(text)).toBeNull();
  }
});

describe("a merchant's colour", () => {
  test.each([
    ['#0f766e', SURFACES.light, { background: '#0f766e', text: '#ffffff' }],
    ['#fde047', SURFACES.dark, { background: '#fde047', text: '#000000' }],
    ['#0f766e', SURFACES.dark, { background: '#0f766e', text: '#ffffff' }],
    ['#fde047', SURFACES.light, null],
    ['#ffffff', SURFACES.light, null],
    ['#111111', SURFACES.dark, null],
    ['purple', SURFACES.light, null],
    [null, SURFACES.light, null],
  ])('%s on %s gives %j', (given, surface, pair) => expect(brandOn(surface, given)).toEqual(pair));

  test('is taken only where its boundary and its text can be seen', () => {
    fc.assert(
      fc.property(color, fc.constantFrom(SURFACES.light, SURFACES.dark), (given, surface) => {
        const pair = brandOn(surface, given);
        if (!pair) return contrastRatio(given, surface) < 3;
        return (
          contrastRatio(pair.background, surface) >= 3 && contrastRatio(pair.text, given) >= 4.5
        );
      }),
    );
  });
});

/** The colours of both themes as globals.css gives them. */
function tokens(): Record<'light' | 'dark', Record<string, string>> {
  const css = readFileSync(new URL('../globals.css', import.meta.url), 'utf8');
  const blocks = [...css.matchAll(/(?::root|@utility night) \{([^}]*)\}/g)].map(([, body = '']) =>
    Object.fromEntries(
      [...body.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
    ),
  );
  const [light = {}, dark = {}] = blocks;
  return { light, dark: { ...light, ...dark } };
}

test('the surfaces that a brand colour is judged on are those of the themes', () => {
  const { light, dark } = tokens();
  expect(SURFACES).toEqual({ light: light.surface, dark: dark.surface });
});

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const token = (name: string): string => tokens()[theme][name] ?? '';

  test.each([
    ['ink', 'canvas'],
    ['ink', 'surface'],
    ['ink', 'surface-sunk'],
    ['muted', 'canvas'],
    ['muted', 'surface'],
    ['muted', 'surface-sunk'],
    ['muted', 'negative-soft'],
    ['accent', 'surface'],
    ['accent', 'canvas'],
    ['accent', 'caution-soft'],
    ['accent-hover', 'surface'],
    ['on-accent', 'accent'],
    ['positive', 'positive-soft'],
    ['positive', 'surface'],
    ['negative', 'surface'],
    ['negative', 'negative-soft'],
    ['caution', 'caution-soft'],
    ['ink', 'caution-soft'],
    ['ink', 'negative-soft'],
    ['accent', 'surface-sunk'],
    ['caution', 'surface'],
  ])('can be read: %s on %s', (text, background) => {
    expect(contrastRatio(token(text), token(background))).toBeGreaterThanOrEqual(4.5);
  });

  test.each([
    ['control', 'surface'],
    ['control', 'canvas'],
    ['focus', 'surface'],
    ['focus', 'canvas'],
    ['negative', 'surface'],
  ])('shows where a control is: %s on %s', (boundary, background) => {
    expect(contrastRatio(token(boundary), token(background))).toBeGreaterThanOrEqual(3);
  });
});
