import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { makeThrowAwayFolder } from '../../testing/throw-away-folder.ts';
import { startEmbedded } from './embedded.ts';
import { findPrograms } from './embedded-programs.ts';

const folders: string[] = [];

afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true });
});

function makeFolder(): string {
  const folder = makeThrowAwayFolder();
  folders.push(folder);
  return folder;
}

// Under root this also covers programs in a folder closed to PostgreSQL's account: the folder's
// mode is 0700.
test('the embedded PostgreSQL is made and run by the programs that POSTGRES_BIN names', async () => {
  const ofNpm = await findPrograms();
  const bin = makeFolder();
  for (const path of Object.values(ofNpm)) fs.symlinkSync(path, join(bin, basename(path)));
  vi.stubEnv('POSTGRES_BIN', bin);
  expect(await findPrograms()).toEqual({
    postgres: join(bin, 'postgres'),
    initdb: join(bin, 'initdb'),
    pg_ctl: join(bin, 'pg_ctl'),
  });
  const server = await startEmbedded({ dataDir: makeFolder(), durability: 'throw-away' });
  try {
    const [program] = fs.readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0');
    expect(program).toBe(join(bin, 'postgres'));
    const status = fs.readFileSync(`/proc/${server.pid}/status`, 'utf8');
    const [, rights] = /^CapEff:\s*([0-9a-f]+)$/m.exec(status) ?? [];
    // CAP_DAC_READ_SEARCH is bit 2.
    expect(Number.parseInt(rights ?? '', 16)).toBe(process.getuid?.() === 0 ? 4 : 0);
  } finally {
    await server.stop();
  }
});

test('a folder without them is named, with the setting', async () => {
  vi.stubEnv('POSTGRES_BIN', makeFolder());
  await expect(findPrograms()).rejects.toThrow(
    /The setting POSTGRES_BIN must name .*: .*\/postgres is not there, or may not be run/,
  );
  vi.unstubAllEnvs();
  const { postgres } = await findPrograms();
  const half = makeFolder();
  fs.symlinkSync(postgres, join(half, 'postgres'));
  vi.stubEnv('POSTGRES_BIN', half);
  await expect(findPrograms()).rejects.toThrow('initdb is not there');
});
