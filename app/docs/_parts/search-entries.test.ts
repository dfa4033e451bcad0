import { expect, test } from 'vitest';
import { findEntries, markedPieces, type SearchEntry } from './search-entries.ts';

const entry = (page: string, heading: string, text: string): SearchEntry => ({
  page,
  heading,
  href: `/docs/${page}#${heading}`,
  text,
});

const ENTRIES = [
  entry('Limits', 'Sizes', 'The signature of a callback is not counted.'),
  entry('Callbacks', 'Verify the signature', 'Take the raw bytes.'),
  entry('Signatures', '', 'All about them.'),
];

test('a section whose heading has the word comes before one that only mentions it', () => {
  const found = findEntries(ENTRIES, 'Signature').map(({ entry: { href } }) => href);
  expect(found).toEqual([
    '/docs/Signatures#',
    '/docs/Callbacks#Verify the signature',
    '/docs/Limits#Sizes',
  ]);
});

test('every word must be there', () => {
  expect(findEntries(ENTRIES, 'signature raw').map(({ entry: { page } }) => page)).toEqual([
    'Callbacks',
  ]);
  expect(findEntries(ENTRIES, 'signature nowhere')).toEqual([]);
  expect(findEntries(ENTRIES, '   ')).toEqual([]);
});

test('a word is the same in whatever characters', () => {
  const pages = findEntries(ENTRIES, 'ＳＩＧＮＡＴＵＲＥ\u200b raw').map(
    ({ entry: { page } }) => page,
  );
  expect(pages).toEqual(['Callbacks']);
});

test('words that stand in different sections of a page find the section with most of them, last', () => {
  const found = (query: string) => findEntries(ENTRIES, query).map(({ entry: { href } }) => href);
  expect(found('limits counted verify')).toEqual([]);
  const entries = [
    ...ENTRIES,
    entry('Callbacks', 'Programs', 'In PHP, with its raw input.'),
    entry('Notes', '', 'Of bytes, the raw signature in PHP.'),
  ];
  const hits = findEntries(entries, 'raw signature php').map(({ entry: { href } }) => href);
  expect(hits).toEqual(['/docs/Notes#', '/docs/Callbacks#Verify the signature']);
});

test('a long text is cut around the word', () => {
  const long = entry('Long', '', `${'before '.repeat(50)}needle ${'after '.repeat(50)}`);
  const [hit] = findEntries([long], 'needle');
  expect(hit?.snippet).toMatch(/^… (before )+needle (after )+…$/);
  expect(hit?.snippet.length).toBeLessThan(160);
});

test('what was looked for is marked, also with signs that a pattern would take for its own', () => {
  expect(markedPieces('Is (a+b) A?', 'a+b')).toEqual([
    { text: 'Is (', isMarked: false },
    { text: 'a+b', isMarked: true },
    { text: ') A?', isMarked: false },
  ]);
});

test('a Russian word is found in whatever case it stands', () => {
  const entries = [entry('Подпись', 'Проверка подписи', 'Отклонённые уведомления.')];
  for (const query of ['подпись', 'подписью', 'проверки', 'уведомление', 'уведомлениями']) {
    expect(findEntries(entries, query), query).toHaveLength(1);
  }
  for (const query of ['подпас', 'счёт']) expect(findEntries(entries, query)).toEqual([]);
});
