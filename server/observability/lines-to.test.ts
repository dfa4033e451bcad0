import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { linesTo } from './lines-to.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lines-to-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('writes each line before the call returns', () => {
  const file = join(folder, 'log');
  const fd = openSync(file, 'w');
  const { write } = linesTo(fd);
  write('one\n');
  write('zwölf\n');
  expect(readFileSync(file, 'utf8')).toBe('one\nzwölf\n');
  closeSync(fd);
});

// Linux has a file that no disk has room for.
it.runIf(process.platform === 'linux')(
  'loses what a full disk does not take, and tells how many lines when it takes some again',
  () => {
    const fd = openSync('/dev/full', 'w');
    const { write } = linesTo(fd);
    write('one\n');
    write('two\nthree\n');
    closeSync(fd);
    const file = join(folder, 'room');
    // The number that was set free last: the same log, with room.
    expect(openSync(file, 'w')).toBe(fd);
    write('four\n');
    write('five\n');
    closeSync(fd);
    const [told = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    expect(JSON.parse(told)).toMatchObject({ level: 'warn', lost: 3 });
    expect(rest).toEqual(['four', 'five', '']);
  },
);
