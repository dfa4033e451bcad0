import { type BrandPair, brandOn, SURFACES } from '#app/_ui/contrast.ts';

function rule(pair: BrandPair | null): string {
  if (!pair) return '';
  const away = pair.text === '#ffffff' ? '#000000' : '#ffffff';
  return `:root{--brand:${pair.background};--on-brand:${pair.text};--brand-away:${away};--link:var(--ink)}`;
}

/**
 * The merchant's colour for each theme that it suits; else the house colour. Links have the text's
 * colour, because two colours would look like two parties.
 */
export function BrandStyle({ color, nonce }: { color: string | null; nonce?: string }) {
  const light = rule(brandOn(SURFACES.light, color));
  const dark = rule(brandOn(SURFACES.dark, color));
  if (!light && !dark) return null;
  const css = `@media (prefers-color-scheme:light){${light}}@media (prefers-color-scheme:dark){${dark}}`;
  return <style nonce={nonce}>{css}</style>;
}
