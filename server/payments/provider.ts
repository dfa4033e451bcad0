import type { Currency } from '../lib/money.ts';
import type { Card, DeclineReason, PaymentAttempt } from './types.ts';

/**
 * What a provider says of an authorisation. An `authorisationId` is that of one idempotency key: where
 * an acquirer gives it to two, the second attempt is declined and never voids it.
 */
export type Authorisation =
  /** The provider is still working on it. */
  | { state: 'pending' }
  | {
      state: 'approved';
      authorisationId: string;
      /** What the acquirer says it holds, where it says so: another sum than ours is never captured. */
      held?: { amountMinor: bigint; currency: Currency };
    }
  | { state: 'declined'; reason: DeclineReason; authorisationId: string | null }
  /** The buyer has to pass 3-D Secure first. */
  | {
      state: 'challenge';
      authorisationId: string;
      /**
       * Where the buyer goes for it: an https address that the acquirer or the issuer gave, or a
       * page of ours, relative to the return address. Null where it is told once only, in the
       * answer to `authorise`.
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
   * Where the acquirer sends the buyer back to after a challenge, by a link or by a form: a page of
   * ours that goes on with the payment. Never a merchant's address.
   */
  returnUrl: string;
};

export type CaptureRequest = {
  authorisationId: string;
  /** The whole of what was authorised. */
  amountMinor: bigint;
  currency: Currency;
};

export type CaptureState = 'captured' | 'refused' | 'pending';

/** The languages in which a buyer can be sent to an acquirer. */
export type Locale = 'en' | 'ru' | 'uz';

/** What is the same for every account of a provider. */
export type ProviderTraits = {
  /** As buyers know it. */
  title: string;
  currencies: readonly Currency[];
  /** Minor units. */
  leastMinor: bigint;
  /** What can be given back: nothing, only in the acquirer's own cabinet, the whole, or any part. */
  refunds: 'none' | 'outside' | 'full' | 'partial';
};

/** One value that a merchant brings from the acquirer's cabinet. */
export type CredentialField = {
  name: string;
  isRequired: boolean;
  isSecret: boolean;
  /** What stands there otherwise. */
  preset?: string;
  /** What it must look like, where the acquirer says so. */
  pattern?: RegExp;
};

/** An acquirer's call to an account's hook, as it came. */
export type HookRequest = {
  method: string;
  header(name: string): string | null;
  body: Uint8Array;
};

/** What the acquirer gets, in its own protocol. */
export type HookAnswer = {
  status: number;
  contentType: string;
  body: string;
  /** Why the caller was turned away; null when it was let in. */
  fault: string | null;
};

/** What a link to an acquirer's page is made of. */
export type LinkRequest = {
  invoiceId: string;
  amountMinor: bigint;
  locale: Locale;
  /** Where the buyer comes back to: a page of ours. It proves nothing. */
  returnUrl: string;
};

/**
 * An acquirer that calls us. It reserves the invoice by a transaction of its own and tells us when the
 * money has moved; we answer in its protocol.
 */
export type InboundProvider = {
  readonly kind: 'inbound';
  readonly name: string;
  link(request: LinkRequest): string;
  handle(request: HookRequest): Promise<HookAnswer>;
  /**
   * Looks after a transaction of which nothing has been heard: gives up what the acquirer's own rules
   * have ended, and asks where the acquirer can be asked.
   *
   * @returns whether it has ended; one that is open is looked at again
   */
  lookAfter(attempt: PaymentAttempt): Promise<'ended' | 'open'>;
};

/** By what an acquirer is asked about an attempt: our key, and its reference once that is saved. */
export type AttemptKey = Pick<
  PaymentAttempt,
  'id' | 'authorisationId' | 'invoiceId' | 'amountMinor' | 'currency'
>;

/**
 * What every acquirer that we ask can do. Every call may throw when the acquirer cannot be
 * reached or its answer is lost; whoever calls leaves the attempt as it is, and
 * `recover` asks again.
 *
 * The buyer's return and the acquirer's webhook are no calls of it: both are for `resume.ts`, which
 * asks here.
 */
export type AskedProvider = {
  readonly name: string;
  /** What became of an attempt; `unknown` when the acquirer never heard of it. */
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

/** What a payment at an acquirer's page is made of: all of it from our rows, so that a repeat is the same. */
export type StartRequest = {
  attemptId: string;
  invoiceId: string;
  amountMinor: bigint;
  currency: Currency;
  description: string;
  positions: readonly { title: string; amountMinor: bigint }[];
  locale: Locale;
  /** Where the buyer comes back to: a page of ours. It proves nothing. */
  returnUrl: string;
  /** Where the acquirer tells of the payment. */
  hookUrl: string;
  /** When the attempt began, UTC ms. */
  createdAtMs: number;
};

/**
 * Goes on with the attempt that an acquirer's call is about: the one of its reference, or else the
 * account's newest for the invoice. @returns the attempt as it is then, or null
 */
export type Resume = (about: {
  reference: string;
  invoiceId: string;
}) => Promise<PaymentAttempt | null>;

/** An acquirer at whose page the buyer pays, after we have made the payment there. */
export type RedirectProvider = AskedProvider & {
  readonly kind: 'redirect';
  /** How long its page can be paid at. */
  readonly pageLifeMs: number;
  /**
   * Makes the payment: `challenge` with the acquirer's reference and the address of its page.
   *
   * @throws NotSentError when nothing was begun; any other error leaves open whether it was
   */
  start(request: StartRequest, now: Date): Promise<Authorisation>;
  /**
   * Answers the acquirer's call. What it tells is never believed: `resume` asks the acquirer and takes
   * the attempt from there.
   *
   * @param resume goes on with the attempt; null where there is none
   */
  handle(request: HookRequest, resume: Resume): Promise<HookAnswer>;
};
