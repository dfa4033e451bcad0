import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';
import { staticFiles } from './static-files.ts';

const root = makeThrowAwayFolder();
mkdirSync(join(root, 'public', 'guides'), { recursive: true });
writeFileSync(join(root, 'public', 'robots.txt'), '');
writeFileSync(join(root, 'public', 'guides', 'a b.md'), '');
afterAll(() => rmSync(root, { recursive: true }));
const isFile = staticFiles(root);

test.each(['/robots.txt', '/robots.txt?x=/a', '/guides/a%20b.md', '/_next/static/chunks/1.js'])(
  '%s is a file',
  (url) => {
    expect(isFile(url)).toBe(true);
  },
);

test.each([
  '/',
  '/guides',
  '/guides/',
  '/pay/robots.txt',
  '/x?/robots.txt',
  '/_next/data',
  '/../x',
])('%s is none', (url) => {
  expect(isFile(url)).toBe(false);
});
