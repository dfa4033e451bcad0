import type { Tenant } from '../merchants/types.ts';

/** A token that was good when it was looked up. */
export type KnownToken = {
  tokenId: string;
  tenant: Tenant;
  /** When it ends by itself; null when it does not. */
  expiresAtMs: number | null;
};

const LIFETIME_MS = 5_000;
const MAX_TOKENS = 10_000;

/** Good from `knownAtMs` on and before `goodUntilMs`. */
type Entry = { token: KnownToken; knownAtMs: number; goodUntilMs: number };

/**
 * Tokens that were good within the last five seconds, by the hash of their text; none outlives
 * its own end.
 *
 * It holds nothing while it is not `listening`: without word of changes a
 * deactivated token could be served from it.
 */
export class TokenCache {
  private readonly entries = new Map<string, Entry>();
  private isListening = false;
  private changes = 0;

  /** Counts the changes; a lookup that began before a change must not be kept after it. */
  get generation(): number {
    return this.changes;
  }

  /** Word of changes arrives from now on. */
  listening(): void {
    this.clear();
    this.isListening = true;
  }

  /** Word of changes may be missed from now on. */
  deaf(): void {
    this.isListening = false;
    this.clear();
  }

  /** Some token or merchant changed. */
  clear(): void {
    this.changes += 1;
    this.entries.clear();
  }

  get(hash: string, nowMs: number): KnownToken | null {
    const entry = this.entries.get(hash);
    if (entry === undefined) return null;
    if (nowMs < entry.goodUntilMs && nowMs >= entry.knownAtMs) return entry.token;
    this.entries.delete(hash);
    return null;
  }

  /** Keeps a token that was looked up while `generation` was current. */
  put(hash: string, token: KnownToken, generation: number, nowMs: number): void {
    if (!this.isListening || generation !== this.changes) return;
    if (this.entries.size >= MAX_TOKENS) {
      const first = this.entries.keys().next();
      if (!first.done) this.entries.delete(first.value);
    }
    const goodUntilMs = Math.min(
      nowMs + LIFETIME_MS,
      token.expiresAtMs ?? Number.POSITIVE_INFINITY,
    );
    this.entries.set(hash, { token, knownAtMs: nowMs, goodUntilMs });
  }
}
