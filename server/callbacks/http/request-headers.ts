import type { KeyObject } from 'node:crypto';
import { messageId, signature } from './sign.ts';

const USER_AGENT = 'payment-gateway-callbacks/1.0';

/**
 * Our headers of a callback, name and value by turns, as undici takes them; undici adds those that
 * HTTP itself needs (host, length).
 *
 * @param keys the merchant's signing keys, newest first
 * @param startedAt when the attempt began: the signed timestamp
 */
export function requestHeaders(
  callback: { id: string; body: Buffer },
  keys: readonly KeyObject[],
  startedAt: Date,
): string[] {
  const id = messageId(callback.id);
  const timestampS = Math.floor(startedAt.getTime() / 1000);
  return [
    'content-type',
    'application/json',
    'user-agent',
    USER_AGENT,
    'webhook-id',
    id,
    'webhook-timestamp',
    String(timestampS),
    'webhook-signature',
    signature(keys, id, timestampS, callback.body),
  ];
}

/** These headers as pairs of name and value, as people and tools read them. */
export function headerPairs(flat: readonly string[]): { name: string; value: string }[] {
  const pairs: { name: string; value: string }[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) {
    pairs.push({ name: flat[at] ?? '', value: flat[at + 1] ?? '' });
  }
  return pairs;
}
