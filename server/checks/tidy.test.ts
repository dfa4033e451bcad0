import { describe, expect, it } from 'vitest';
import { tidyFaults } from './tidy.ts';

function faultsOf(file: string, text: string): string[] {
  return tidyFaults(new Map([[file, text]]));
}

describe('tidy rules', () => {
  const refused: [outcome: string, file: string, text: string][] = [
    ['a collection of leftovers', 'server/lib/utils.ts', ''],
    ['a folder of leftovers', 'app/helpers/format.ts', ''],
    ['a barrel', 'server/invoices/index.ts', ''],
    ['unfinished work', 'server/lib/ids.ts', `// ${'TO'}${'DO'}: later`],
    ['a linter switched off', 'server/lib/ids.ts', `// ${'biome'}-ignore lint: no`],
    ['a compiler switched off', 'server/lib/ids.ts', `// @${'ts'}-expect-error`],
    ['a test left alone', 'server/lib/ids.test.ts', `it.${'only'}('x', () => {});`],
    ['a test left out', 'server/lib/ids.test.ts', `describe.${'skip'}('x', () => {});`],
    ['one of several at once left out', 'e2e/x.test.ts', `test.concurrent.${'skip'}('x', run);`],
    ['a table left out', 'e2e/x.test.ts', `describe.each(all).${'skip'}('x', run);`],
    ['a test left out somewhere', 'e2e/x.test.ts', `it.${'skipIf'}(slow)('x', run);`],
    ['a test left out by an option', 'e2e/x.test.ts', `it('x', { ${'skip'}: true }, run);`],
    ['a test that may fail', 'e2e/x.test.ts', `it.${'fails'}('x', run);`],
    ['a journey that may fail', 'e2e/x.test.ts', `test.${'fail'}('x', run);`],
    ['a wait of a second', 'server/x.test.ts', `await vi.${'waitFor'}(() => look());`],
    ['a format that is not kept', 'app/docs/x.tsx', `new ${'Intl'}.NumberFormat('en')`],
    ['a form whose fields go into the address', 'app/docs/x.tsx', '<form onSubmit={() => go()}>'],
    ['what a page over http has not', 'app/docs/x.tsx', `crypto.${'randomUUID'}()`],
  ];
  it.each(refused)('refuses %s', (_outcome, file, text) => {
    expect(faultsOf(file, text)).toHaveLength(1);
  });

  it.each([
    '<form action={post} onSubmit={() => call()}>',
    '<form\n  onSubmit={(event) => void call(event)}\n  method="dialog"\n>',
    '<form action="/search">',
    '<ScriptForm onSubmit={call}>',
  ])('lets a form through that knows where it is sent: %s', (text) => {
    expect(faultsOf('app/docs/x.tsx', text)).toEqual([]);
  });

  it('names the line of a form', () => {
    const [fault] = faultsOf('app/docs/x.tsx', '<p>\n  <form\n    onSubmit={call}\n  >');
    expect(fault).toMatch(/^app\/docs\/x\.tsx:2: /);
  });

  it('lets a test say what it needs of the machine', () => {
    expect(faultsOf('e2e/x.test.ts', `test.runIf(hasCurl)('x', run);`)).toEqual([]);
  });
});
