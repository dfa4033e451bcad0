import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../lib/errors.ts';

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * `recursive` does not do: in a folder like /proc, where nothing can be made and the system says
 * ENOENT, Node tries forever and hears no signal meanwhile.
 */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it just now.
    if (!isFolder(folder)) throw error;
  }
}

/**
 * Makes the folder of DATA_DIR and its parents where they are missing.
 *
 * @throws Error that names the setting where the folder cannot be made or written to
 */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`The folder of the setting DATA_DIR cannot be used: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Runs a write into that folder. The system names no path when the disk is full, so this adds it.
 *
 * @throws Error that names the setting and the folder where `write` fails
 */
export function inDataDir<T>(dataDir: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new Error(
      `Nothing can be written to ${dataDir}, the folder of the setting DATA_DIR: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}
