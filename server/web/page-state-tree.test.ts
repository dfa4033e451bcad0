import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';
import { expect, test } from 'vitest';
import { isReadableStateTree } from './page-state-tree.ts';

const asSent = (tree: unknown) => encodeURIComponent(JSON.stringify(tree));

/** A tree of segments, one below the other. */
function treeOf([segment, ...below]: unknown[], rest: unknown[] = []): unknown {
  return [segment, below.length > 0 ? { children: treeOf(below, rest) } : {}, ...rest];
}

/** Segments of no name. */
const MANY = Array.from({ length: 400 }, () => '');
const SEARCH = JSON.stringify({ q: '[{,"\\'.repeat(1_000), status: ['2', '3'] });
const PAGE = `__PAGE__?${SEARCH}`;

// Deeper than each of our pages, with all that Next knows to say of a segment.
const DEEPEST = treeOf(
  [
    '',
    'dashboard',
    ['environment', 'sandbox', 'd', ['sign-in', 'second-factor', 'new-password', 'invitation']],
    'callbacks',
    ['invoiceId', 'x'.repeat(400), 'd', ['test', 'new']],
    'receipt',
    PAGE,
  ],
  [['/dashboard/sandbox/callbacks', '?a=b'], 'refetch', 16, 'x'],
);

test.each([
  ['none', undefined],
  ['of the deepest page, after a long search', asSent(DEEPEST)],
  ['that is not encoded', JSON.stringify(treeOf(['', 'docs', PAGE]))],
])('a tree that Next can read is kept: %s', (_which, header) => {
  expect(isReadableStateTree(header)).toBe(true);
});

test.each([
  ['rubbish', 'rubbish'],
  ['cut off', '%7B'],
  ['not decodable', '%'],
  ['of something else', asSent([])],
  ['twice', [asSent(treeOf([''])), asSent(treeOf(['']))]],
  ['in half a text', `["${'\\'.repeat(30_001)}`],
])('a tree that Next cannot read is bad: %s', (_which, header) => {
  expect(isReadableStateTree(header)).toBe(false);
});

// Next reads each of these, for a time that grows with the square of the depth.
test.each([
  ['deep', treeOf(MANY)],
  ['broad', ['', Object.fromEntries(Array.from({ length: 500 }, (_, at) => [at, ['', {}]]))]],
  ['with many siblings', treeOf([['a', 'b', 'd', MANY]])],
  ['deep beside a long search', treeOf(['', PAGE, ...MANY])],
])(
  'a tree of more than our pages come to is bad, though Next would read it: %s',
  (_which, tree) => {
    const header = JSON.stringify(tree);
    expect(() => parseAndValidateFlightRouterState(header)).not.toThrow();
    expect(isReadableStateTree(header)).toBe(false);
  },
);
