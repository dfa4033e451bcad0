import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmbedded } from '../db/embedded.ts';
import { takeLock } from '../lib/process-lock.js';

const PREFIX = 'gateway-tests-';
const OWNER = 'owner.lock';

/** A data folder for a test's own PostgreSQL; marked with this process, for the sweep. */
export function makeThrowAwayFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  takeLock(join(folder, OWNER));
  return folder;
}

/**
 * Ends what runs of the tests left behind that were killed: their PostgreSQL goes
 * on, since it does not depend on the process that started it.
 */
export async function sweepThrowAwayFolders(): Promise<void> {
  const marked = readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter((folder) => existsSync(join(folder, OWNER)));
  for (const folder of marked) {
    if (!takeLock(join(folder, OWNER)).taken) continue;
    await (await findEmbedded(folder))?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
