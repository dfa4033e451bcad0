import type { Currency } from '../lib/money.ts';
import type { AccountFaultCode } from '../merchants/account-faults.ts';
import type { Environment } from '../merchants/types.ts';
import type { Locale, StartRequest } from './start-request.ts';
import type { Card, CardBrand, DeclineReason, PaymentAttempt } from './types.ts';

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

/** The acquirer's particulars of the money that it took; null for each that it does not tell. */
export type Settlement = {
  /** The payment's id in the merchant's books at the acquirer. */
  transactionId: string;
  receiptUrl: string | null;
  cardBrand: CardBrand | null;
  /** The last four digits. */
  cardLast4: string | null;
  /** The acquirer's fee, in minor units of the payment's currency. */
  feeMinor: bigint | null;
};

export type Captured =
  | { state: 'captured'; settlement?: Settlement }
  | { state: 'refused' }
  | { state: 'pending' };

/** A refund as the acquirer is asked for it: all comes from our rows, so a repeat is equal. */
export type RefundRequest = {
  /** Our refund's id: the key at the acquirer, and the same at every repeat. */
  refundId: string;
  /** The captured payment. */
  payment: AttemptKey & { transactionId: string };
  amountMinor: bigint;
  /** What of the payment was asked back before this refund and has not failed. */
  refundedBeforeMinor: bigint;
  reason: string | null;
  /** The acquirer's own id of the refund, once it is saved. */
  reference: string | null;
  /** When the refund was asked for, UTC ms. */
  createdAtMs: number;
};

export type RefundAnswer = {
  state: 'pending' | 'succeeded' | 'failed';
  /** The acquirer's own id of the refund, where it has one. */
  reference: string | null;
  /** Why it failed, in the acquirer's words; null otherwise. */
  failureReason: string | null;
};

/** A refund that an acquirer told of: one of ours, or one that began there. */
export type SeenRefund = RefundAnswer & {
  /** Our refund's id, as the acquirer keeps it for us; null for one that began there. */
  refundId: string | null;
  reference: string;
  /** The acquirer's id of the payment. */
  transactionId: string;
  amountMinor: bigint;
  currency: Currency;
  reason: string | null;
};

/**
 * Takes in a refund of the account that an acquirer told of. A repeat changes nothing.
 *
 * @returns whether the refunded payment is the account's
 * @throws when it cannot be taken in now: the acquirer has to come again
 */
export type TakeRefund = (seen: SeenRefund) => Promise<boolean>;

/** The acquirer's side of refunds. */
export type RefundProvider = {
  /**
   * Set where the acquirer keeps no id of a refund, so that only the payment tells what became of
   * it: each refund of a payment then waits for the one before it.
   */
  readonly isSerial?: true;
  /**
   * Gives money back. Idempotent by the refund's id. Throws where the result is open; the refund is
   * then asked for again under the same id.
   *
   * @throws NotSentError when nothing can have reached the acquirer
   */
  refund(request: RefundRequest, now: Date): Promise<RefundAnswer>;
  /** How a refund stands; `unknown` when the acquirer never heard of it. */
  lookupRefund(request: RefundRequest, now: Date): Promise<RefundAnswer | { state: 'unknown' }>;
};

/** One payment or refund as it stands in the merchant's books at the acquirer. */
export type BookLine = {
  kind: 'payment' | 'refund';
  /** The acquirer's id of it. */
  id: string;
  /** The acquirer's id of the payment: of a refund, the payment that it gives back. */
  paymentId: string;
  /** Our attempt's or refund's id, as the acquirer keeps it for us; null where it has none. */
  ourId: string | null;
  amountMinor: bigint;
  currency: Currency;
  /** `open`: the buyer or the acquirer is still at it; `held`: not captured; `ended`: without money. */
  state: 'open' | 'held' | 'succeeded' | 'ended';
  createdAtMs: number;
  /** The acquirer's fee, in minor units; null where it does not tell. */
  feeMinor: bigint | null;
};

/**
 * Reads an acquirer's books for a span of time, `fromMs` inclusive, `toMs` exclusive. An acquirer
 * without a list of its own is asked about each of the known payments.
 */
export type ReadBooks = (span: {
  fromMs: number;
  toMs: number;
  known: Iterable<KnownPayment> | AsyncIterable<KnownPayment>;
}) => AsyncIterable<BookLine>;

/** A payment of the span that has an id at the acquirer; `transactionId` is its reference until captured. */
export type KnownPayment = { attempt: AttemptKey; transactionId: string };

/** The properties that all accounts of a provider share. */
export type ProviderTraits = {
  /** The name that buyers know. */
  title: string;
  currencies: readonly Currency[];
  /** The least and the greatest amount that it takes, in minor units; no greatest one if left out. */
  leastMinor: bigint;
  mostMinor?: bigint;
  /** The possible refunds: none, only in the acquirer's own cabinet, the whole, or any part. */
  refunds: 'none' | 'outside' | 'full' | 'partial';
  /** How long the acquirer itself leaves a payment open before it gives it up. */
  pageLifeMs: number;
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
  /** How a value of the right format shows the environment that it is for. */
  marks?: Readonly<Record<Environment, RegExp>>;
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
  fault: AccountFaultCode | null;
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
  /** Left out where the acquirer takes no refund from us. */
  readonly refunds?: RefundProvider;
  link(request: LinkRequest): string;
  handle(request: HookRequest, actions: Pick<HookActions, 'takeRefund'>): Promise<HookAnswer>;
  /**
   * Looks after a silent transaction: gives up one that the acquirer's own rules have ended, and
   * asks where the acquirer can be asked.
   *
   * @returns whether it has ended; one that is open is looked at again
   */
  lookAfter(attempt: PaymentAttempt): Promise<'ended' | 'open'>;
};

/**
 * The keys to ask about an attempt: ours, the acquirer's reference once it is saved, and the request
 * that began it, so that a create whose answer was lost can be repeated byte for byte.
 */
export type AttemptKey = Pick<
  PaymentAttempt,
  | 'id'
  | 'authorisationId'
  | 'invoiceId'
  | 'amountMinor'
  | 'currency'
  | 'createdAtMs'
  | 'startRequest'
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
  /** Left out where the acquirer takes no refund from us. */
  readonly refunds?: RefundProvider;
  /** Left out where there are no books to read. */
  readonly readBooks?: ReadBooks;
  /** Set where those name no refunds: only what is left of a payment tells of them. */
  readonly hasBooksOfPaymentsOnly?: true;
  /** The result of an attempt; `unknown` when the acquirer never heard of it. */
  lookup(attempt: AttemptKey, now: Date): Promise<Authorisation | { state: 'unknown' }>;
  /**
   * Takes the money. Idempotent: a second call for one authorisation takes nothing more, and says how
   * it stands. `pending` is one that the acquirer has accepted and not carried out; it is asked again
   * each minute, and the invoice neither ends nor can be cancelled meanwhile.
   */
  capture(request: CaptureRequest, now: Date): Promise<Captured>;
  /** Releases an authorisation that was not captured, or withdraws a challenge. Idempotent. */
  void(authorisationId: string, now: Date): Promise<void>;
};

/** An acquirer that takes the cards of our own form, with 3-D Secure at an address that it gives. */
export type CardProvider = AskedProvider & {
  readonly kind: 'card';
  /** Asks for the money; resolves when the acquirer has answered, which can take long. */
  authorise(request: AuthorisationRequest, now: Date): Promise<Authorisation>;
};

/** What an acquirer's call is about: our attempt where it names that, or its own payment. */
export type AboutAttempt = { attemptId: string } | { reference: string; invoiceId: string };

/**
 * Goes on with the attempt of an acquirer's call: the named one, the one with its reference, or else
 * the account's newest for the invoice. @returns the attempt afterwards, or null
 */
export type Resume = (about: AboutAttempt) => Promise<PaymentAttempt | null>;

/** A buyer's dispute of a payment at the bank, as the acquirer has it now. */
export type SeenDispute = {
  id: string;
  /** The acquirer's id of the payment. */
  transactionId: string;
  amountMinor: bigint;
  currency: Currency;
  /** The acquirer's own words for why, and for how it stands. */
  reason: string;
  status: string;
  isClosed: boolean;
};

/** Takes in a dispute of the account. A repeat changes nothing. */
export type TakeDispute = (seen: SeenDispute) => Promise<void>;

/** What an acquirer's call can lead to. Its content is never believed: each was asked about first. */
export type HookActions = {
  resume: Resume;
  takeRefund: TakeRefund;
  takeDispute: TakeDispute;
};

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
   */
  handle(request: HookRequest, actions: HookActions): Promise<HookAnswer>;
};
