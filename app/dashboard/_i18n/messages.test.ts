import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('no part for the browser takes a whole dictionary along, in either language', () => {
  const parts = ['app/dashboard', 'app/operator'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => ({ file, text: readFileSync(`${folder}/${file}`, 'utf8') }))
      .filter(({ text }) => text.startsWith("'use client'")),
  );
  expect(parts.length).toBeGreaterThan(30);
  const taking = parts.filter(({ text }) =>
    /^import (?!type )[^;]*_i18n\/(?:\w+-)?(?:en|ru)\.ts'/m.test(text),
  );
  expect(taking.map(({ file }) => file)).toEqual([]);
});
