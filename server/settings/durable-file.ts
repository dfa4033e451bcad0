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

// What the database refers to must outlive a loss of power as its rows do: a file's bytes are
// flushed before its name comes, and the name, which stands in the folder, after.

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
 * Writes a file, mode 0600, whole or not at all; returns when no loss of power can undo it.
 * One that is there already is left as it is.
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

/** Writes a file, mode 0600, or what takes its place; returns when no loss of power can undo it. */
export function replaceDurably(path: string, text: string): void {
  withDraft(path, text, (draft) => renameSync(draft, path));
}
