import type { Currency } from '../lib/money.ts';
import type { Environment } from '../merchants/types.ts';

/** What staff can be told of. */
export const NOTICE_KINDS = [
  'callbacks_failing',
  'callback_exhausted',
  'payment',
  'refund_failed',
  'account_down',
  'books_differ',
  'sign_in',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const CHANNELS = ['email', 'telegram'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Of which payments somebody is told; `own` are those by payment links that they made. */
export const PAYMENT_SCOPES = ['all', 'above', 'own'] as const;
export type PaymentScope = (typeof PAYMENT_SCOPES)[number];

/** How a person wants to hear of a kind. */
export type NoticeChoice = {
  kind: NoticeKind;
  channels: Channel[];
  /** Null for all kinds but payments. */
  payments: PaymentChoice | null;
};

/** `aboveMinor` and `currency` are set with `above`: payments in other currencies are told of as well. */
export type PaymentChoice = {
  scope: PaymentScope;
  aboveMinor: bigint | null;
  currency: Currency | null;
};

/** A merchant in one environment, by what the worker found: no caller's claim to its data. */
export type Place = { merchantId: string; environment: Environment };

/** What was told of a merchant; its row is held until the transaction ends. */
export type Watch = Place & {
  position: string;
  number: string;
  areCallbacksFailing: boolean;
  callbacksChangedAt: Date | null;
};

/** An invoice as a notice names it. */
export type ToldInvoice = {
  id: string;
  /** The merchant's own id of it. */
  reference: string;
  description: string;
  amountMinor: string;
  currency: Currency;
};

type OfInvoices<What extends string> = {
  what: What;
  count: number;
  /** The first of them. */
  invoices: ToldInvoice[];
};

/** What a notice tells, as its row keeps it. */
export type NoticeContent =
  | { what: 'callbacks_failing'; host: string }
  | { what: 'callbacks_well' }
  | OfInvoices<'callback_exhausted'>
  | OfInvoices<'payment'>
  | OfInvoices<'refund_failed'>
  | { what: 'account_down'; account: string }
  | { what: 'books_differ'; account: string; count: number }
  | { what: 'sign_in'; atMs: number; address: string | null }
  | { what: 'test' };

/** The kind whose choice decides over a notice; null for one that its person asked for. */
export function kindOf({ what }: NoticeContent): NoticeKind | null {
  if (what === 'test') return null;
  return what === 'callbacks_well' ? 'callbacks_failing' : what;
}
