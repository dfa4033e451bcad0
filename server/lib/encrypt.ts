import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
// The first byte names the format, so that a later one needs no guessing.
const FORM = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text (AES-256-GCM).
 *
 * @param key 32 bytes
 * @param context where the text belongs; `unseal` needs the same, so that a
 *   sealed value moved to another row does not open
 * @returns format (1 byte), nonce (12), tag (16), ciphertext
 */
export function seal(key: Buffer, text: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(FORM), nonce, cipher.getAuthTag(), sealed]);
}

/** The context that each kind of value is sealed with. */
export const SEAL_CONTEXTS = {
  signingSecret: (merchantId: string, environment: string) =>
    `signing-secret ${merchantId} ${environment}`,
  totp: (userId: string) => `totp ${userId}`,
  acquirerAccount: (accountId: string) => `acquirer-account ${accountId}`,
};

/**
 * Opens what `seal` made.
 *
 * @param keys one key or, during a rotation, several, any of which may fit
 * @throws Error when the key or the context differs, or a bit was changed
 */
export function unseal(keys: Buffer | readonly Buffer[], sealed: Buffer, context: string): string {
  const [first, ...others] = Buffer.isBuffer(keys) ? [keys] : keys;
  if (first === undefined) throw new Error('There is no key to open a sealed value with.');
  try {
    return unsealBy(first, sealed, context);
  } catch (error) {
    if (others.length === 0) throw error;
    return unseal(others, sealed, context);
  }
}

/** Whether `unseal` would open the value. */
export function opens(keys: Buffer | readonly Buffer[], sealed: Buffer, context: string): boolean {
  try {
    unseal(keys, sealed, context);
    return true;
  } catch {
    return false;
  }
}

function unsealBy(key: Buffer, sealed: Buffer, context: string): string {
  const start = 1 + NONCE_BYTES + TAG_BYTES;
  if (sealed[0] !== FORM || sealed.length < start) throw new Error('A sealed value is malformed.');
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(1, 1 + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(1 + NONCE_BYTES, start));
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]);
    return text.toString('utf8');
  } catch (error) {
    throw new Error(
      'A sealed value does not open: the SECRETS_KEY is not the one it was made with.',
      {
        cause: error,
      },
    );
  }
}
