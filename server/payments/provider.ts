import type { Currency } from '../lib/money.ts';
import type { Card, DeclineReason } from './types.ts';

/**
 * What a provider says of an authorisation. An `authorisationId` is that of one idempotency key: where
 * an acquirer gives it to two, the second attempt is declined and never voids it.
 */
export type Authorisation =
  /** The provider is still working on it. */
  | { state: 'pending' }
  | { state: 'approved'; authorisationId: string }
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

/**
 * The port to an acquirer. Every call may throw when the acquirer cannot be
 * reached or its answer is lost; whoever calls leaves the attempt as it is, and
 * `recover` asks again.
 *
 * It carries cards of our own form, 3-D Secure at an address of the acquirer's or the issuer's, and
 * captures that take their time. The buyer's return and the acquirer's webhook are no calls of it:
 * both are for `resume.ts`, which asks here; the route of a webhook is written with its acquirer.
 * It does not carry a merchant's own account at the acquirer, hosted fields or a token instead of the
 * card, what a browser tells for 3-D Secure without a challenge, refunds, nor captures of a part.
 */
export type PaymentProvider = {
  readonly name: string;
  /** Asks for the money; resolves when the acquirer has answered, which can take long. */
  authorise(request: AuthorisationRequest, now: Date): Promise<Authorisation>;
  /** What became of an authorisation; `unknown` when the acquirer never heard of the key. */
  lookup(idempotencyKey: string, now: Date): Promise<Authorisation | { state: 'unknown' }>;
  /**
   * Takes the money. Idempotent: a second call for one authorisation takes nothing more, and says how
   * it stands. `pending` is one that the acquirer has accepted and not carried out; it is asked again
   * each minute, and the invoice neither ends nor can be cancelled meanwhile.
   */
  capture(request: CaptureRequest, now: Date): Promise<{ state: CaptureState }>;
  /** Releases an authorisation that was not captured, or withdraws a challenge. Idempotent. */
  void(authorisationId: string, now: Date): Promise<void>;
};
