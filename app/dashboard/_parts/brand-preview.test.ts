import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HOUSE } from './brand-preview.tsx';

it('the colours of the house in the preview are those of the stylesheet', () => {
  const css = readFileSync('app/globals.css', 'utf8');
  const valuesOf = (token: string) =>
    [...css.matchAll(new RegExp(`^ +${token}: (#[0-9a-f]{6});$`, 'gm'))].map(([, value]) => value);
  const { light, dark } = HOUSE;
  expect(valuesOf('--accent')).toEqual([light.background, dark.background]);
  expect(valuesOf('--on-accent')).toEqual([light.text, dark.text]);
});
