import type { KeyObject } from 'node:crypto';
import { withTimeout } from '../../lib/timeout.ts';
import type { Environment } from '../../merchants/types.ts';
import { signingKey } from './sign.ts';

/** Reads a merchant's valid secrets, `whsec_…`, newest first. */
export type LoadSecrets = (
  merchantId: string,
  environment: Environment,
  now: Date,
) => Promise<string[]>;

export type SigningKeys = {
  /** The present signing keys, if they are already known. */
  kept(merchantId: string, environment: Environment, now: Date): readonly KeyObject[] | null;
  /** The present HMAC keys for signing. Rejects when they cannot be read. */
  keysOf(merchantId: string, environment: Environment, now: Date): Promise<readonly KeyObject[]>;
};

// A rotation overlaps for far longer, so that no signature ever uses a secret that is no longer
// valid.
const KEPT_MS = 5_000;
const MAX_ENTRIES = 10_000;
// A database connection may break silently; an attempt must not hang with it.
const LOAD_LIMIT_MS = 5_000;

type Entry = {
  knownAtMs: number;
  reading: Promise<readonly KeyObject[]>;
  /** The keys once they are read. */
  keys: readonly KeyObject[] | null;
};

/** Keeps keys for a few seconds, so that a burst costs one read for each merchant. */
export function createSigningKeys(load: LoadSecrets): SigningKeys {
  const entries = { sandbox: new Map<string, Entry>(), production: new Map<string, Entry>() };

  function entryOf(merchantId: string, environment: Environment, now: Date): Entry | null {
    const found = entries[environment].get(merchantId);
    if (!found) return null;
    // The clock may have been set back, which makes the keys' age unknown.
    const ageMs = now.getTime() - found.knownAtMs;
    return ageMs >= 0 && ageMs < KEPT_MS ? found : null;
  }

  function read(merchantId: string, environment: Environment, now: Date) {
    const ofEnvironment = entries[environment];
    const secrets = withTimeout(LOAD_LIMIT_MS, load(merchantId, environment, now));
    const reading = secrets.then((found) => found.map(signingKey));
    const entry: Entry = { knownAtMs: now.getTime(), reading, keys: null };
    reading.then(
      (keys) => {
        entry.keys = keys;
      },
      // A failure is not kept: the next attempt reads again.
      () => ofEnvironment.delete(merchantId),
    );
    if (ofEnvironment.size >= MAX_ENTRIES) ofEnvironment.clear();
    ofEnvironment.set(merchantId, entry);
    return reading;
  }

  return {
    kept: (...of) => entryOf(...of)?.keys ?? null,
    keysOf: (...of) => entryOf(...of)?.reading ?? read(...of),
  };
}
