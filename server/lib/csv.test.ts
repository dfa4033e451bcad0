import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('quotes only what needs it, and doubles quotes', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 1500n])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,1500\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx'])('%j is no formula', (text) => {
  expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/);
});

it('a number below zero stays a number', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
