import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A mail route that always fails: a closed port. */
export const BROKEN_MAIL = {
  smtpUrl: 'smtp://127.0.0.1:1',
  from: 'gateway@example.com',
  outboxFolder: '',
  say: () => undefined,
};

/** The e-mails in a data folder's outbox, the oldest first, as plain ASCII lines. */
export async function emailsIn(dataDir: string): Promise<string[]> {
  const outbox = join(dataDir, 'outbox');
  const names = await readdir(outbox).catch(() => []);
  const messages = names.sort().map((name) => readFile(join(outbox, name), 'utf8'));
  return (await Promise.all(messages)).map((message) => message.replaceAll('=\r\n', ''));
}
