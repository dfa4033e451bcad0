import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDurably, replaceDurably } from './durable-file.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'durable-file-'));
  file = join(folder, 'a.key');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['createDurably', createDurably],
  ['replaceDurably', replaceDurably],
])('%s', (_, write) => {
  it('makes a file for its owner only, and leaves nothing beside it', () => {
    write(file, 'one\n');
    expect(readFileSync(file, 'utf8')).toBe('one\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.key']);
  });

  it('leaves no draft where it cannot write', () => {
    expect(() => write(join(folder, 'missing', 'a.key'), 'one\n')).toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('createDurably leaves one that is there as it is', () => {
  createDurably(file, 'one\n');
  createDurably(file, 'two\n');
  expect(readFileSync(file, 'utf8')).toBe('one\n');
  expect(readdirSync(folder)).toEqual(['a.key']);
});

it('replaceDurably takes the place of one, and leaves no draft where it may not', () => {
  replaceDurably(file, 'one\n');
  replaceDurably(file, 'two\n');
  expect(readFileSync(file, 'utf8')).toBe('two\n');
  const taken = join(folder, 'a folder');
  mkdirSync(taken);
  expect(() => replaceDurably(taken, 'three\n')).toThrow('EISDIR');
  expect(readdirSync(folder).sort()).toEqual(['a folder', 'a.key']);
});
