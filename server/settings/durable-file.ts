import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

// A file that the database refers to must survive a loss of power as its rows do. The file's bytes
// are flushed before it gets its name, and the folder, which holds the name, afterwards.

function withDraft(path: string, text: string, publish: (draft: string) => void): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    publish(draft);
  } finally {
    rmSync(draft, { force: true });
  }
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Writes a file, mode 0600, whole or not at all; returns once no loss of power can undo it. An
 * existing file is left as it is.
 */
export function createDurably(path: string, text: string): void {
  withDraft(path, text, (draft) => {
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
}

/** Writes or replaces a file, mode 0600; returns once no loss of power can undo it. */
export function replaceDurably(path: string, text: string): void {
  withDraft(path, text, (draft) => renameSync(draft, path));
}
