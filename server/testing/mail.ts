import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A way for letters by which every one fails: a closed port. */
export const BROKEN_MAIL = {
  smtpUrl: 'smtp://127.0.0.1:1',
  from: 'gateway@example.com',
  outboxFolder: '',
  say: () => undefined,
};

/** The letters in a data folder's outbox, the oldest first, as lines of plain ASCII. */
export async function emailsIn(dataDir: string): Promise<string[]> {
  const outbox = join(dataDir, 'outbox');
  const names = await readdir(outbox).catch(() => []);
  const letters = names.sort().map((name) => readFile(join(outbox, name), 'utf8'));
  return (await Promise.all(letters)).map((letter) => letter.replaceAll('=\r\n', ''));
}
