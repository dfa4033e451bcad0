import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/**
 * The HMAC key of a secret in Standard Webhooks' form, `whsec_<base64>`.
 *
 * It is a `KeyObject`, because Node 24 makes one from plain bytes for each signature, which takes
 * six times as long as the signature.
 */
export function signingKey(secret: string): KeyObject {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return createSecretKey(encoded, 'base64');
}

/**
 * The `webhook-id` of a callback: the same on every attempt, the merchant's key for handling it once.
 * That of an event (`evt_…`) is its id in the list of events.
 */
export function messageId(callbackId: string): string {
  return callbackId.replace(/^ntf_/, 'msg_');
}

/**
 * The value of `webhook-signature` by Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`, one for each key, separated by spaces, so that a merchant can change its
 * secret while both are valid.
 *
 * @param body the exact bytes that are sent
 */
export function signature(
  keys: readonly KeyObject[],
  id: string,
  timestampS: number,
  body: Uint8Array,
): string {
  const signatures: string[] = [];
  for (const key of keys) {
    const hmac = createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body);
    signatures.push(`v1,${hmac.digest('base64')}`);
  }
  return signatures.join(' ');
}
