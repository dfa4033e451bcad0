import { expect, it } from 'vitest';
import { takeExportPlace } from './export-places.ts';

it('reads two files of a merchant at once, and four of all', () => {
  const take = (...merchants: string[]) => merchants.map((each) => takeExportPlace(each));
  const places = take('a', 'a', 'b', 'c');
  expect(places).not.toContain(null);
  expect(takeExportPlace('d')).toBeNull();
  places[3]?.();
  expect(takeExportPlace('a')).toBeNull();
  // Of a file that has ended twice over, the place is given back once.
  places[3]?.();
  expect(take('d', 'd')).toEqual([expect.any(Function), null]);
});
