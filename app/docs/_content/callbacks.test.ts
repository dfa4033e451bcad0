import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { headerPairs, requestHeaders } from '#server/callbacks/request-headers.ts';
import { projectRoot } from '#server/env.ts';

const read = (file: string) => readFileSync(path.join(projectRoot(), file), 'utf8');
const PAGE = read('app/docs/_content/callbacks.md');

test('the example of a callback shows each header that we give one', () => {
  const callback = { invoiceId: 'inv_1', body: Buffer.from('{}') };
  const sent = headerPairs(requestHeaders(callback, [createSecretKey('key', 'utf8')], new Date()));
  const [, example = ''] = /^```http\n(.*?)^$/ms.exec(PAGE) ?? [];
  const shown = example.split('\n').filter((line) => line.includes(': '));
  const names = shown.map((line) => line.slice(0, line.indexOf(': ')).toLowerCase());
  expect(names).toEqual(sent.map(({ name }) => name));
  const agent = sent.find(({ name }) => name === 'user-agent')?.value;
  expect(shown).toContain(`User-Agent: ${agent}`);
});

test('a rotation lasts for as long as the page says', () => {
  const source = read('app/dashboard/_parts/secret-rotation.tsx');
  const [, hours] = /OVERLAP_HOURS = (\d+);/.exec(source) ?? [];
  expect(PAGE).toContain(`For ${hours} hours callbacks carry both signatures`);
});

test('the limits of the dashboard are told as they are set', () => {
  const source = read('server/trpc/routers/callbacks.ts');
  const maxOf = (name: string) =>
    new RegExp(`${name} = { max: (\\d+), windowMs: TEN_MINUTES_MS }`).exec(source)?.[1];
  const page = read('app/docs/_content/limits.md');
  expect(page).toContain(`in the dashboard | ${maxOf('RESEND_LIMIT')} times in ten minutes |`);
  expect(page).toContain(
    `| tests of an endpoint, in the dashboard | ${maxOf('TEST_LIMIT')} in ten minutes |`,
  );
});
