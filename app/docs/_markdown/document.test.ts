import { expect, test } from 'vitest';
import { blockCall, parseDocument, plainText } from './document.ts';

test('headings get the anchors that the text of a file links to', () => {
  const { headings } = parseDocument(
    '# Title\n\n## What `create` does, in 5 min.\n\n### Again\n\n### Again\n\n## Ключи — и ещё\n',
  );
  expect(headings).toEqual([
    { id: 'what-create-does-in-5-min', depth: 2, text: 'What create does, in 5 min.' },
    { id: 'again', depth: 3, text: 'Again' },
    { id: 'again-1', depth: 3, text: 'Again' },
    { id: 'ключи--и-ещё', depth: 2, text: 'Ключи — и ещё' },
  ]);
});

test('a fence that begins with @ calls a block, others are code', () => {
  const calls = parseDocument('```@samples receive-callback\n```\n\n```json\n{}\n```\n').blocks.map(
    ({ token }) => blockCall(token),
  );
  expect(calls).toEqual([{ name: 'samples', argument: 'receive-callback' }, null]);
});

test('what is searched has words and no marks', () => {
  const { blocks } = parseDocument(
    'A **b** `c` [d](/e)\n\n- f\n- g\n\n| h | i |\n| --- | --- |\n| j | k |\n\n> [!NOTE]\n> l\n\n```sh m\nn --o\n```\n\n```@cards\n```\n',
  );
  const text = plainText(blocks.map(({ token }) => token)).replace(/\s+/g, ' ');
  expect(text).toBe('A b c d f g h i j k l m n --o ');
});
