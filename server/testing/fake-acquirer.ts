import type {
  Authorisation,
  AuthorisationRequest,
  CaptureRequest,
  CaptureState,
  PaymentProvider,
} from '../payments/provider.ts';

type Entry = {
  id: string;
  amountMinor: bigint;
  state: 'challenge' | 'pending' | 'approved' | 'declined';
  /** Ordered to be captured: it can no more be voided. */
  end: 'ordered' | 'captured' | 'voided' | null;
  openedAtMs: number;
  /** When it was voided before it was approved. */
  withdrawnAtMs: number | null;
};

/** What was on its way when it was withdrawn can be approved until then, under a reference of its own. */
const LATE_APPROVAL_MS = 5 * 60_000;
const CHALLENGE_LIFETIME_MS = 20 * 60_000;

/** A card that this acquirer has confirmed by 3-D Secure; ends like none or any of the sandbox's. */
export const CHALLENGED_CARD = '4929000000003055';

/**
 * An acquirer as they are in life, for tests: the buyer is sent elsewhere and what came of it is known
 * here first, calls can fail before or after they took effect, and all stands in books of its own.
 */
export class FakeAcquirer implements PaymentProvider {
  readonly name = 'fake';
  /** By idempotency key. */
  readonly books = new Map<string, Entry>();
  /** Calls fail before they do anything, or after: then only the answer is lost. */
  outage: 'before' | 'after' | null = null;
  /** Whether a capture is carried out when it is ordered. */
  captures: 'at once' | 'later' = 'at once';
  /** Gives the authorisation that it gave last to a key that it does not know. */
  givesOneToAll = false;
  /** Where it sends buyers for a challenge. */
  challengeUrl = 'https://bank.example/3ds?id=1';
  /** Tells that in its answer to `authorise` alone. */
  tellsUrlOnce = false;
  /** Where it sends them back to, as it was last told. */
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

  lookup(key: string): Promise<Authorisation | { state: 'unknown' }> {
    return this.#call('lookup', () => {
      const entry = this.books.get(key);
      const said = entry ? this.#said(entry) : ({ state: 'unknown' } as const);
      return said.state === 'challenge' && this.tellsUrlOnce ? { ...said, url: null } : said;
    });
  }

  capture({ authorisationId, amountMinor }: CaptureRequest): Promise<{ state: CaptureState }> {
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
      // The reference of before a late approval: nothing stands behind it any more.
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
   * The buyer has answered at the bank, or the acquirer has decided; the gateway is not told.
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

/** The registry of acquirers with this one behind the port: production's. */
export function registryWith(module: Registry, acquirer: () => FakeAcquirer): Registry {
  return {
    ...module,
    providerNameOf: (environment) => (environment === 'sandbox' ? 'sandbox' : 'fake'),
    openProvider: acquirer,
  };
}
