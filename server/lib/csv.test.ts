import fc from 'fast-check';
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

it('in whatever place a file is parted, nothing begins a formula', () => {
  const texts = fc.string({ unit: fc.constantFrom(...`=+-@,;\t\r\n" 'a`) });
  fc.assert(
    fc.property(texts, fc.constantFrom(',' as const, ';' as const), (text, separator) => {
      const line = csvLine(['first', text, 'last'], separator);
      for (const piece of line.split(/[,;\t\r\n]/)) expect(piece).not.toMatch(/^[\s"]*[=+\-@]/);
    }),
    {
      examples: [
        ["tea;=cmd|' /C calc'!A0", ','],
        ['tea\n"=1+1', ','],
        ['tea, -1', ';'],
      ],
    },
  );
});

it('leaves signs within a text alone', () => {
  const text = 'Tea-set, 2+1; to me@example.com';
  expect(csvLine([text])).toBe(`"${text}"\r\n`);
});

it('a number below zero stays a number', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
