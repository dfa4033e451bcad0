import type { Environment } from '../merchants/types.ts';
import { signingKey } from './sign.ts';

/** Reads a merchant's valid secrets, `whsec_…`, newest first. */
export type LoadSecrets = (
  merchantId: string,
  environment: Environment,
  now: Date,
) => Promise<string[]>;

export type SigningKeys = {
  /** The HMAC keys to sign with now. Rejects when they cannot be read. */
  keysOf(merchantId: string, environment: Environment, now: Date): Promise<readonly Buffer[]>;
};

// A rotation overlaps for far longer than that, so that nobody ever gets a
// signature by a secret that is no longer valid.
const KEPT_MS = 5_000;
const MAX_ENTRIES = 10_000;
// A connection to the database may be gone without a word; an attempt must not hang with it.
const LOAD_LIMIT_MS = 5_000;

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Keeps keys for a few seconds, so that a burst costs one read a merchant. */
export function createSigningKeys(load: LoadSecrets): SigningKeys {
  const kept = new Map<string, { untilMs: number; keys: Promise<readonly Buffer[]> }>();

  function keysOf(merchantId: string, environment: Environment, now: Date) {
    const name = `${environment}:${merchantId}`;
    const found = kept.get(name);
    if (found && found.untilMs > now.getTime()) return found.keys;
    const secrets = within(LOAD_LIMIT_MS, load(merchantId, environment, now));
    const keys = secrets.then((read) => read.map(signingKey));
    // A failure is not kept: the next one asks again.
    keys.catch(() => kept.delete(name));
    if (kept.size >= MAX_ENTRIES) kept.clear();
    kept.set(name, { untilMs: now.getTime() + KEPT_MS, keys });
    return keys;
  }

  return { keysOf };
}
