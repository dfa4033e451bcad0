import { expect, test } from 'vitest';
import { spanText } from './span.ts';

test('the pauses of the schedule read as in the documentation, with a twentieth added too', () => {
  const pausesS = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
  const words = ['5 s', '30 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'];
  expect(pausesS.map((pauseS) => spanText(pauseS * 1_000))).toEqual(words);
  expect(pausesS.map((pauseS) => spanText(pauseS * 1_050)).slice(0, 5)).toEqual([
    '5 s',
    '32 s',
    '5 min',
    '32 min',
    '2 h',
  ]);
});
