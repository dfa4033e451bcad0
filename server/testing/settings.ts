import { rmSync } from 'node:fs';
import { afterAll, beforeAll, vi } from 'vitest';
import { processWide } from '../lib/process-wide.ts';
import { makeThrowAwayFolder } from './throw-away-folder.ts';

/** Makes `settings()` read the variables again, for a test that changes them. */
export function forgetSettings(): void {
  delete processWide<{ settings?: object }>('settings', () => ({})).settings;
}

/**
 * Gives a file's tests their own data folder.
 *
 * @returns a function for the folder's path, valid while they run
 */
export function withOwnDataDir(): () => string {
  let dataDir = '';
  beforeAll(() => {
    dataDir = makeThrowAwayFolder();
    vi.stubEnv('DATA_DIR', dataDir);
    forgetSettings();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    forgetSettings();
    rmSync(dataDir, { recursive: true });
  });
  return () => dataDir;
}
