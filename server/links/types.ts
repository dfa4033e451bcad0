import type { Currency } from '../lib/money.ts';
import type { Environment } from '../merchants/types.ts';

/** Whether a link's page has a field, and whether it must be filled in. */
export const LINK_FIELDS = ['off', 'optional', 'required'] as const;
export type LinkField = (typeof LINK_FIELDS)[number];

/** The limits of a link; texts in characters (code points). */
export const LINK_LIMITS = {
  title: 200,
  description: 1_000,
  quantity: 1_000,
  uses: 1_000_000,
  /** The length of a buyer's note: as much as a cookie carries back into a form with a fault. */
  note: 300,
} as const;

/** What one piece costs, or between which bounds (inclusive) the buyer types the amount. */
export type LinkPrice = { amountMinor: bigint } | { leastMinor: bigint; greatestMinor: bigint };

/** What staff decide of a link. */
export type NewLink = {
  title: string;
  description: string | null;
  currency: Currency;
  price: LinkPrice;
  maxQuantity: number;
  asksNote: LinkField;
  asksEmail: LinkField;
  asksPhone: LinkField;
  /** The most invoices that are paid or can be; null for no limit. */
  usesLimit: number | null;
  endsAtMs: number | null;
};

/** A link takes buyers only while it is open. */
export type LinkState = 'open' | 'off' | 'ended' | 'sold_out';

export type PaymentLink = NewLink & {
  id: string;
  /** The end of the page's address. */
  code: string;
  merchantId: string;
  environment: Environment;
  isOn: boolean;
  createdAtMs: number;
  state: LinkState;
};

/** What a buyer orders at a link: checked against it. */
export type LinkOrder = {
  /** The sum of all pieces. */
  amountMinor: bigint;
  quantity: number;
  note: string | null;
  email: string | null;
  phone: string | null;
};

/** The fields of a link's page, as the buyer typed them. */
export type TypedOrder = {
  amount: string;
  quantity: string;
  note: string;
  email: string;
  phone: string;
};

/** What is wrong with an order. */
export const ORDER_FAULTS = [
  'amount_missing',
  'amount_low',
  'amount_high',
  'quantity_range',
  'note_missing',
  'note_long',
  'email_missing',
  'email_format',
  'phone_missing',
  'phone_format',
] as const;
export type OrderFault = (typeof ORDER_FAULTS)[number];
