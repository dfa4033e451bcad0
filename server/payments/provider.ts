import type { Currency } from '../lib/money.ts';
import type { Card, DeclineReason, PaymentAttempt } from './types.ts';

/**
 * A provider's answer about an authorisation. An `authorisationId` belongs to one idempotency key:
 * if an acquirer gives it to two, the second attempt is declined and never voids it.
 */
export type Authorisation =
  /** The provider is still working on it. */
  | { state: 'pending' }
  | {
      state: 'approved';
      authorisationId: string;
      /** The sum that the acquirer says it holds, if any: another sum is never captured. */
      held?: { amountMinor: bigint; currency: Currency };
    }
  | { state: 'declined'; reason: DeclineReason; authorisationId: string | null }
  /** The buyer has to pass 3-D Secure first. */
  | {
      state: 'challenge';
      authorisationId: string;
      /**
       * The address of the challenge: https, from the acquirer or the issuer, or a page of ours,
       * relative to the return address. Null where only the answer to `authorise` tells it.
       */
      url: string | null;
    };

export type AuthorisationRequest = {
  /** Our attempt's id: the same key never makes a second authorisation. */
  idempotencyKey: string;
  amountMinor: bigint;
  currency: Currency;
  card: Card;
  /**
   * The address to which the acquirer sends the buyer back after a challenge, by a link or a form:
   * a page of ours that goes on with the payment. Never a merchant's address.
   */
  returnUrl: string;
};

export type CaptureRequest = {
  authorisationId: string;
  /** The whole authorised sum. */
  amountMinor: bigint;
  currency: Currency;
};

export type CaptureState = 'captured' | 'refused' | 'pending';

/** The languages in which a buyer can be sent to an acquirer. */
export type Locale = 'en' | 'ru' | 'uz';

/** The properties that all accounts of a provider share. */
export type ProviderTraits = {
  /** The name that buyers know. */
  title: string;
  currencies: readonly Currency[];
  /** Minor units. */
  leastMinor: bigint;
  /** The possible refunds: none, only in the acquirer's own cabinet, the whole, or any part. */
  refunds: 'none' | 'outside' | 'full' | 'partial';
};

/** One value that a merchant brings from the acquirer's cabinet. */
export type CredentialField = {
  name: string;
  isRequired: boolean;
  isSecret: boolean;
  /** The default value. */
  preset?: string;
  /** The required format, where the acquirer specifies one. */
  pattern?: RegExp;
};

/** An acquirer's call to an account's hook, as it came. */
export type HookRequest = {
  method: string;
  header(name: string): string | null;
  body: Uint8Array;
};

/** The acquirer's answer, in its own protocol. */
export type HookAnswer = {
  status: number;
  contentType: string;
  body: string;
  /** Why the caller was turned away; null when it was let in. */
  fault: string | null;
};

/** The parts of a link to an acquirer's page. */
export type LinkRequest = {
  invoiceId: string;
  amountMinor: bigint;
  locale: Locale;
  /** The buyer's return address: a page of ours. A return proves nothing. */
  returnUrl: string;
};

/**
 * An acquirer that calls us. It reserves the invoice by a transaction of its own and tells us when
 * the money has moved; we answer in its protocol.
 */
export type InboundProvider = {
  readonly kind: 'inbound';
  readonly name: string;
  link(request: LinkRequest): string;
  handle(request: HookRequest): Promise<HookAnswer>;
  /**
   * Looks after a silent transaction: gives up one that the acquirer's own rules have ended, and
   * asks where the acquirer can be asked.
   *
   * @returns whether it has ended; one that is open is looked at again
   */
  lookAfter(attempt: PaymentAttempt): Promise<'ended' | 'open'>;
};

/** The keys to ask about an attempt: ours, and the acquirer's reference once it is saved. */
export type AttemptKey = Pick<
  PaymentAttempt,
  'id' | 'authorisationId' | 'invoiceId' | 'amountMinor' | 'currency'
>;

/**
 * The calls of every acquirer that we ask. Each may throw when the acquirer cannot be reached or
 * its answer is lost; the caller leaves the attempt unchanged, and `recover` asks again.
 *
 * The buyer's return and the acquirer's webhook are not among them: both are for `resume.ts`, which
 * asks here.
 */
export type AskedProvider = {
  readonly name: string;
  /** The result of an attempt; `unknown` when the acquirer never heard of it. */
  lookup(attempt: AttemptKey, now: Date): Promise<Authorisation | { state: 'unknown' }>;
  /**
   * Takes the money. Idempotent: a second call for one authorisation takes nothing more, and says how
   * it stands. `pending` is one that the acquirer has accepted and not carried out; it is asked again
   * each minute, and the invoice neither ends nor can be cancelled meanwhile.
   */
  capture(request: CaptureRequest, now: Date): Promise<{ state: CaptureState }>;
  /** Releases an authorisation that was not captured, or withdraws a challenge. Idempotent. */
  void(authorisationId: string, now: Date): Promise<void>;
};

/** An acquirer that takes the cards of our own form, with 3-D Secure at an address that it gives. */
export type CardProvider = AskedProvider & {
  readonly kind: 'card';
  /** Asks for the money; resolves when the acquirer has answered, which can take long. */
  authorise(request: AuthorisationRequest, now: Date): Promise<Authorisation>;
};

/** The data of a payment at an acquirer's page: all come from our rows, so a repeat is equal. */
export type StartRequest = {
  attemptId: string;
  invoiceId: string;
  amountMinor: bigint;
  currency: Currency;
  description: string;
  positions: readonly { title: string; amountMinor: bigint }[];
  locale: Locale;
  /** The buyer's return address: a page of ours. A return proves nothing. */
  returnUrl: string;
  /** The address for the acquirer's news of the payment. */
  hookUrl: string;
  /** When the attempt began, UTC ms. */
  createdAtMs: number;
};

/**
 * Goes on with the attempt of an acquirer's call: the one with its reference, or else the account's
 * newest for the invoice. @returns the attempt afterwards, or null
 */
export type Resume = (about: {
  reference: string;
  invoiceId: string;
}) => Promise<PaymentAttempt | null>;

/** An acquirer with a page for the payment, which we create there first. */
export type RedirectProvider = AskedProvider & {
  readonly kind: 'redirect';
  /** How long its page accepts the payment. */
  readonly pageLifeMs: number;
  /**
   * Makes the payment: `challenge` with the acquirer's reference and the address of its page.
   *
   * @throws NotSentError when nothing was begun; any other error leaves open whether it was
   */
  start(request: StartRequest, now: Date): Promise<Authorisation>;
  /**
   * Answers the acquirer's call. Its content is never believed: `resume` asks the acquirer and
   * takes the attempt from there.
   *
   * @param resume goes on with the attempt; null where there is none
   */
  handle(request: HookRequest, resume: Resume): Promise<HookAnswer>;
};
