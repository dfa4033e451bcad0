import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Our own modules that a file imports at run time. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [
    ...text.matchAll(/^(?:import|export) (?!type )([^;]*?)from '([^']+)'|import\('([^']+)'\)/gm),
  ]
    .filter(([, names = '']) => !/^\{(?:\s*type [^,}]+,?)+\s*\}/.test(names))
    .map(([, , named, lazy]) => named ?? lazy ?? '')
    .map((name) => (name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name)))
    .filter((name) => existsSync(name));
}

const isAction = (file: string) => readFileSync(file, 'utf8').startsWith("'use server'");

it('no part for the browser takes the catalogues along, which hold every word of every language', () => {
  const parts = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `app/${file}`)
    .filter((file) => readFileSync(file, 'utf8').startsWith("'use client'"));
  expect(parts.length).toBeGreaterThan(60);
  const taking = new Map(parts.map((file) => [file, file]));
  for (const [file, by] of taking) {
    for (const next of importsOf(file)) {
      if (!taking.has(next) && !isAction(next)) taking.set(next, `${by} > ${next}`);
    }
  }
  expect(taking.size).toBeGreaterThan(parts.length);
  expect(taking.get('server/i18n/translator.ts')).toBeUndefined();
});
