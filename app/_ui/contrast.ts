/** `#rrggbb` (or `#rgb`) as three channels 0 to 255; null for anything else. */
export function parseHex(color: string): [number, number, number] | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  const long = short
    ? short.slice(1).map((digit) => digit + digit)
    : /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)?.slice(1);
  if (!long) return null;
  const [red = 0, green = 0, blue = 0] = long.map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}

/** Relative luminance, 0 to 1 (WCAG 2.2, "relative luminance"). */
function luminance([red, green, blue]: [number, number, number]): number {
  const linear = (channel: number): number => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/**
 * Contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").
 * @throws Error for a text that is not `#rrggbb`
 */
export function contrastRatio(one: string, other: string): number {
  const [a, b] = [parseHex(one), parseHex(other)];
  if (!a || !b) throw new Error(`not a colour: ${a ? other : one}`);
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

const TEXT_MINIMUM = 4.5;
const BOUNDARY_MINIMUM = 3;
const LIGHT_TEXT = '#ffffff';
// Pure black: with anything lighter some reds would have no readable text at all.
const DARK_TEXT = '#000000';

// The tokens `--surface` of globals.css, against which a colour has to be visible.
export const SURFACES = { light: '#fffdf8', dark: '#111b46' };

export type BrandPair = { background: string; text: string };

/**
 * A merchant's colour as a button's background on `surface`, with a readable text colour. Null
 * where the colour would not stand out enough (3:1 against the surface, 4.5:1 for the text): the
 * house colour takes its place.
 */
export function brandOn(surface: string, color: string | null): BrandPair | null {
  const channels = color === null ? null : parseHex(color);
  if (!channels) return null;
  const background = `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  if (contrastRatio(background, surface) < BOUNDARY_MINIMUM) return null;
  const text = [LIGHT_TEXT, DARK_TEXT].find(
    (candidate) => contrastRatio(candidate, background) >= TEXT_MINIMUM,
  );
  return text ? { background, text } : null;
}
