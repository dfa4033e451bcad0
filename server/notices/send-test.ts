import type { Queryable } from '../db/pool.ts';
import { writeNotices } from './outbox.ts';
import { chatOf } from './telegram/links.ts';
import type { Channel, Place } from './types.ts';

/** Sends a person a notice on every channel that they have, at most once a minute. */
export async function sendTestNotice(
  db: Queryable,
  { merchantId, environment }: Place,
  { userId, now }: { userId: string; now: Date },
): Promise<{ channels: Channel[] }> {
  const chatId = await chatOf(db, userId);
  const channels: Channel[] = chatId === null ? ['email'] : ['email', 'telegram'];
  const subject = `test ${Math.floor(now.getTime() / 60_000)}`;
  const notices = channels.map((channel) => ({
    ...{ merchantId, environment, userId, channel, subject },
    content: { what: 'test' } as const,
  }));
  await writeNotices(db, notices, now);
  return { channels };
}
