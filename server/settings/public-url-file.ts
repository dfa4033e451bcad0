import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (dataDir: string) => join(dataDir, 'public-url');

/** Stores the gateway's public URL in its data folder, for commands that run beside it. */
export function rememberPublicUrl(dataDir: string, publicUrl: string): void {
  writeFileSync(fileIn(dataDir), `${publicUrl}\n`);
}

/** The last public URL of a data folder's gateway, or null if it never ran. */
export function recallPublicUrl(dataDir: string): string | null {
  try {
    return readFileSync(fileIn(dataDir), 'utf8').trim() || null;
  } catch {
    return null;
  }
}
