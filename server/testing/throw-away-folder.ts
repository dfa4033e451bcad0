import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { takeLock } from '../lib/process-lock.js';
import { findEmbedded } from '../process/embedded-postgres/embedded.ts';

const PREFIX = 'gateway-tests-';
const OWNER = 'owner.lock';
/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Twice the most that all tests together hold at once. */
const ROOM_IN_MEMORY = 4 * 1024 ** 3;

/** Whether memory has room: a container may have 64 MiB of it, another system no such folder. */
function memoryHasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM_IN_MEMORY;
  } catch {
    return false;
  }
}

/**
 * The parent folder for a cluster of many databases. Each consists of 300 files, and making and
 * removing them on a disk's file system takes a quarter of all tests' processor time.
 */
export const parentOfDatabases = (): string => (memoryHasRoom() ? MEMORY : tmpdir());

/** A data folder for a test's own PostgreSQL, marked with this process for the sweep. */
export function makeThrowAwayFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, PREFIX));
  takeLock(join(folder, OWNER));
  return folder;
}

/**
 * Cleans up after killed test runs: their PostgreSQL keeps running, since it does not depend on the
 * process that started it.
 */
export async function sweepThrowAwayFolders(): Promise<void> {
  const marked = [tmpdir(), MEMORY]
    .filter((parent) => existsSync(parent))
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)))
    .filter((folder) => basename(folder).startsWith(PREFIX) && existsSync(join(folder, OWNER)));
  for (const folder of marked) {
    if (!takeLock(join(folder, OWNER)).taken) continue;
    await (await findEmbedded(folder))?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
