import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOUSE_COLOURS, TILE } from './house-mark.ts';

test('the stylesheet draws the same frieze as documents do', () => {
  const css = readFileSync('app/globals.css', 'utf8');
  const [frieze = ''] = /@utility frieze \{[^}]*\}/.exec(css) ?? [];
  expect(frieze).toContain(`viewBox='0 0 ${TILE.width} ${TILE.height}'`);
  expect(frieze).toContain(`d='${TILE.path}'`);
  expect(frieze).toContain(HOUSE_COLOURS.lapis);
  expect(frieze).toContain(HOUSE_COLOURS.tile.replace('#', '%23'));
});
