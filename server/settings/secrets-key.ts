import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SettingError } from '../lib/errors.ts';
import { inDataDir, makeDataDir } from './data-dir.ts';
import { createDurably } from './durable-file.ts';

const KEY_BYTES = 32;

/** The file of the key that a gateway without SECRETS_KEY makes for itself. */
export const secretsKeyFile = (dataDir: string): string => join(dataDir, 'secrets.key');

/**
 * Decodes a key as written in a setting or a file.
 *
 * @param name where the key is, for the message
 * @throws SettingError when it is not 32 bytes in base64
 */
export function decodeKey(name: string, value: string): Buffer {
  const key = Buffer.from(value, 'base64');
  if (key.length !== KEY_BYTES || !/^[A-Za-z0-9+/_-]{43}=?$/.test(value)) {
    throw new SettingError(`${name} must be ${KEY_BYTES} bytes in base64.`);
  }
  return key;
}

/** The key in a file, or null where there is none. */
export function readKeyFile(path: string): Buffer | null {
  try {
    return decodeKey(`The file ${path}`, readFileSync(path, 'utf8').trim());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Makes a key unless there is one. Processes that start together use the first one's. */
export function makeKeyFile(path: string): void {
  const dataDir = dirname(path);
  makeDataDir(dataDir);
  inDataDir(dataDir, () => createDurably(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`));
}

/**
 * The key in a file, read when it is first asked for.
 *
 * @param mayMake whether a missing key is made: never for an external database,
 *   which may hold what another key has sealed
 */
export function fileKey(path: string, mayMake: boolean): () => Buffer {
  let kept: Buffer | null = null;
  return () => {
    kept ??= readKeyFile(path);
    if (kept === null && mayMake) {
      makeKeyFile(path);
      kept = readKeyFile(path);
    }
    if (kept === null)
      throw new SettingError(`SECRETS_KEY is not set, and there is no file ${path}.`);
    return kept;
  };
}
