import type { Network } from '../merchants/networks.ts';
import type { Scope, Tenant } from '../merchants/types.ts';

/** A token that was good when it was looked up. */
export type KnownToken = {
  tokenId: string;
  tenant: Tenant;
  /** When the token expires; null for never. */
  expiresAtMs: number | null;
  scopes: readonly Scope[];
  /** Those from which alone it works; none for everywhere. */
  networks: readonly Network[];
};

const LIFETIME_MS = 5_000;
const MAX_TOKENS = 10_000;

/** Valid from `knownAtMs` on and before `goodUntilMs`. */
type Entry = { token: KnownToken; knownAtMs: number; goodUntilMs: number };

/**
 * Tokens that were good within the last five seconds, by the hash of their text; none outlives its
 * expiry.
 *
 * The cache stays empty while it is not `listening`: it might serve a deactivated token if it
 * missed the notification.
 */
export class TokenCache {
  private readonly entries = new Map<string, Entry>();
  private isListening = false;
  private changes = 0;

  /** Counts the changes: a result looked up before a change must not be cached after it. */
  get generation(): number {
    return this.changes;
  }

  /** Notifications of changes arrive from now on. */
  listening(): void {
    this.clear();
    this.isListening = true;
  }

  /** Notifications of changes may be missed from now on. */
  deaf(): void {
    this.isListening = false;
    this.clear();
  }

  /** A token or merchant has changed. */
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
