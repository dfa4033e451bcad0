import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('quotes only what needs it, and doubles quotes', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 1500n])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,1500\r\n',
  );
});

it.each([
  ['=1+1', "'=1+1"],
  ['＝1+1', "'＝1+1"],
  ['﹣1', "'﹣1"],
  ['⁺1', "'⁺1"],
  ['⩵1', "'⩵1"],
  ['\u200b=1+1', "\u200b'=1+1"],
  ['\ufeff\u2060＠SUM(A1)', "\ufeff\u2060'＠SUM(A1)"],
  ['\u{e0020}-1', "\u{e0020}'-1"],
  ['\u3164 @SUM(A1)', "\u3164 '@SUM(A1)"],
])('%j is no formula', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

it.each(['\tx', '\rx', '\nx'])('%j is a text', (text) => {
  expect(csvLine([text])).toMatch(/^"?'/);
});

/** A text in the form that a spreadsheet evaluates. */
const folded = (text: string) =>
  text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

const CODE_POINTS = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const SIGNS = CODE_POINTS.filter((each) => /^[=+\-@]/.test(each.normalize('NFKC')));
const UNSEEN = CODE_POINTS.filter((each) => folded(each) === '');
const BLANK = CODE_POINTS.filter((each) => /^[\s"]$/.test(each.normalize('NFKC')));

it('in whatever place a file is parted, and however it is folded, nothing begins a formula', () => {
  const pieces = [SIGNS, UNSEEN, BLANK, [...',;\t\r\n'], ['a', "'", '\u0301']];
  for (const each of pieces) expect(each.length).toBeGreaterThan(2);
  const texts = fc.string({
    unit: fc.oneof(...pieces.map((each) => fc.constantFrom(...each))),
  });
  fc.assert(
    fc.property(texts, fc.constantFrom(',' as const, ';' as const), (text, separator) => {
      const line = csvLine(['first', text, 'last'], separator);
      for (const piece of line.split(/[,;\t\r\n]/)) {
        expect(folded(piece)).not.toMatch(/^[\s"]*[=+\-@]/);
      }
      // Only apostrophes are added, and quotes where the file's own rules require them.
      const bare = (given: string) => given.replaceAll(/['"]/g, '');
      expect(bare(line)).toBe(bare(`first${separator}${text}${separator}last\r\n`));
    }),
    {
      examples: [
        ["tea;=cmd|' /C calc'!A0", ','],
        ['tea\n"=1+1', ','],
        ['tea, -1', ';'],
        ['tea;\u00ad＂＝1', ','],
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
