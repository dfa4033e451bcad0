import type {
  Authorisation,
  AuthorisationRequest,
  Captured,
  CaptureRequest,
  CardProvider,
} from '../payments/provider.ts';

type Entry = {
  id: string;
  amountMinor: bigint;
  state: 'challenge' | 'pending' | 'approved' | 'declined';
  /** Its capture was ordered: it can no longer be voided. */
  end: 'ordered' | 'captured' | 'voided' | null;
  openedAtMs: number;
  /** When it was voided before its approval. */
  withdrawnAtMs: number | null;
};

/** A payment under way when withdrawn can be approved until then, with a new reference. */
const LATE_APPROVAL_MS = 5 * 60_000;
const CHALLENGE_LIFETIME_MS = 20 * 60_000;

/** A card that this acquirer confirms by 3-D Secure; its ending is none of the sandbox cards'. */
export const CHALLENGED_CARD = '4929000000003055';

/**
 * A realistic acquirer for tests: the buyer is sent elsewhere, the result is known here first,
 * calls can fail before or after they take effect, and everything is in its own books.
 */
export class FakeAcquirer implements CardProvider {
  readonly kind = 'card';
  readonly name = 'fake';
  /** By idempotency key. */
  readonly books = new Map<string, Entry>();
  /** Calls fail before they take effect, or afterwards: then only the answer is lost. */
  outage: 'before' | 'after' | null = null;
  /** Whether a capture is carried out when it is ordered. */
  captures: 'at once' | 'later' = 'at once';
  /** Returns its latest authorisation for an unknown key. */
  givesOneToAll = false;
  /** Where buyers are sent for a challenge. */
  challengeUrl = 'https://bank.example/3ds?id=1';
  /** Returns that URL only in its answer to `authorise`. */
  tellsUrlOnce = false;
  /** The latest URL for sending buyers back. */
  returnUrl = '';
  /** The names of the calls that reached it. */
  calls: string[] = [];

  async #call<T>(name: string, work: () => T): Promise<T> {
    await Promise.resolve();
    if (this.outage === 'before') throw new Error('the acquirer is away');
    this.calls.push(name);
    const result = work();
    if (this.outage === 'after') throw new Error('the answer of the acquirer is lost');
    return result;
  }

  #entry(authorisationId: string): Entry | undefined {
    return [...this.books.values()].find(({ id }) => id === authorisationId);
  }

  #said(entry: Entry): Authorisation {
    const { id: authorisationId, state } = entry;
    switch (state) {
      case 'pending':
        return { state };
      case 'declined':
        return { state, reason: 'authentication_failed', authorisationId };
      case 'challenge':
        return { state, authorisationId, url: this.challengeUrl };
      case 'approved':
        return { state, authorisationId };
    }
  }

  authorise(request: AuthorisationRequest, now: Date): Promise<Authorisation> {
    return this.#call('authorise', () => {
      const key = request.idempotencyKey;
      this.returnUrl = request.returnUrl;
      const state = request.card.number === CHALLENGED_CARD ? 'challenge' : 'approved';
      const given = this.givesOneToAll ? [...this.books.values()].at(-1) : undefined;
      const entry = this.books.get(key) ?? given;
      const { amountMinor } = request;
      const openedAtMs = now.getTime();
      const fresh = { id: `auth_${key}`, amountMinor, state, end: null, openedAtMs } as const;
      const opened = entry ?? { ...fresh, withdrawnAtMs: null };
      this.books.set(key, opened);
      return this.#said(opened);
    });
  }

  #ends({ end }: Entry): 'ordered' | 'captured' {
    return end === 'captured' || this.captures === 'at once' ? 'captured' : 'ordered';
  }

  lookup({ id: key }: { id: string }): Promise<Authorisation | { state: 'unknown' }> {
    return this.#call('lookup', () => {
      const entry = this.books.get(key);
      const said = entry ? this.#said(entry) : ({ state: 'unknown' } as const);
      return said.state === 'challenge' && this.tellsUrlOnce ? { ...said, url: null } : said;
    });
  }

  capture({ authorisationId, amountMinor }: CaptureRequest): Promise<Captured> {
    return this.#call('capture', () => {
      const entry = this.#entry(authorisationId);
      if (entry?.state !== 'approved' || entry.amountMinor !== amountMinor) {
        return { state: 'refused' };
      }
      if (entry.end !== 'voided') entry.end = this.#ends(entry);
      if (entry.end === 'ordered') return { state: 'pending' };
      return { state: entry.end === 'captured' ? 'captured' : 'refused' };
    });
  }

  void(authorisationId: string, now: Date): Promise<void> {
    return this.#call('void', () => {
      const entry = this.#entry(authorisationId);
      // A reference from before a late approval: nothing belongs to it any more.
      if (!entry) return;
      if (entry.state === 'challenge' || entry.state === 'pending') {
        entry.withdrawnAtMs ??= now.getTime();
      }
      if (entry.end === 'ordered' || entry.end === 'captured') {
        throw new Error(`${authorisationId} is ${entry.end}`);
      }
      if (entry.state === 'approved') entry.end = 'voided';
    });
  }

  /**
   * The buyer has answered at the bank, or the acquirer has decided; the gateway is not notified.
   * @returns whether that was still possible
   */
  decide(key: string, state: 'pending' | 'approved' | 'declined', now: Date): boolean {
    const entry = this.books.get(key);
    if (!entry || entry.end || entry.state === 'approved' || entry.state === 'declined')
      return false;
    const { openedAtMs, withdrawnAtMs } = entry;
    const untilMs = withdrawnAtMs
      ? withdrawnAtMs + LATE_APPROVAL_MS
      : openedAtMs + CHALLENGE_LIFETIME_MS;
    if (state !== 'declined' && now.getTime() > untilMs) return false;
    entry.state = state;
    if (withdrawnAtMs && state === 'approved') entry.id = `late_${key}`;
    return true;
  }
}

type Registry = typeof import('../payments/providers/registry.ts');

/** The registry of acquirers with this one in production. */
export function registryWith(module: Registry, acquirer: () => FakeAcquirer): Registry {
  return {
    ...module,
    providerNameOf: (environment) => (environment === 'sandbox' ? 'sandbox' : 'fake'),
    openProvider: acquirer,
  };
}
