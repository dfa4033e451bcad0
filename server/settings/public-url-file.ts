import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (dataDir: string) => join(dataDir, 'public-url');

/** Keeps where the gateway of a data folder is reached, for commands that are run beside it. */
export function rememberPublicUrl(dataDir: string, publicUrl: string): void {
  writeFileSync(fileIn(dataDir), `${publicUrl}\n`);
}

/** Where the gateway of a data folder was reached last, or null when it never ran. */
export function recallPublicUrl(dataDir: string): string | null {
  try {
    return readFileSync(fileIn(dataDir), 'utf8').trim() || null;
  } catch {
    return null;
  }
}
