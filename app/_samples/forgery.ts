import { messageId, signature } from '#server/callbacks/sign.ts';

/** What the variable of the secret holds where somebody forgot it; null: there is none. */
export const NO_SECRETS = [null, '', 'whsec_'];

/**
 * Posts a body to a receiver on this machine as anybody could sign it: with an empty key.
 *
 * @returns whether it was taken for genuine
 */
export async function isForgeryTaken(port: number): Promise<boolean> {
  const body = Buffer.from('{"merchant_transaction_id":"order-1","status":2}');
  const id = messageId('inv_forged');
  const timestampS = Math.floor(Date.now() / 1000);
  const answer = await fetch(`http://127.0.0.1:${port}/callback`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestampS),
      'webhook-signature': signature([Buffer.alloc(0)], id, timestampS, body),
    },
    body,
  });
  return answer.status === 200;
}
