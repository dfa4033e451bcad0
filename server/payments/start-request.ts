import type { Currency } from '../lib/money.ts';

/** The languages in which a buyer can be sent to an acquirer. */
export type Locale = 'en' | 'ru' | 'uz';

/** The data of a payment at an acquirer's page: all come from our rows, so a repeat is equal. */
export type StartRequest = {
  attemptId: string;
  invoiceId: string;
  amountMinor: bigint;
  currency: Currency;
  description: string;
  /** Where the account demands it for the buyer's receipt; null otherwise. */
  buyerEmail: string | null;
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
 * A request as an attempt's row keeps it: saved before the acquirer is asked, so that a create whose
 * answer was lost is repeated with the same bytes.
 */
export function writeStartRequest(request: StartRequest): string {
  return JSON.stringify(request, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** The opposite of `writeStartRequest`. */
export function readStartRequest(text: string): StartRequest {
  const kept = JSON.parse(text) as StartRequest;
  return {
    ...kept,
    amountMinor: BigInt(kept.amountMinor),
    positions: kept.positions.map(({ title, amountMinor }) => ({
      title,
      amountMinor: BigInt(amountMinor),
    })),
  };
}
