import type { InvoiceStatus } from './types.ts';

/** The events of an invoice. */
export const INVOICE_TRIGGERS = ['pay', 'cancel', 'expire'] as const;
export type InvoiceTrigger = (typeof INVOICE_TRIGGERS)[number];

type Rule = { from: InvoiceStatus; to: Exclude<InvoiceStatus, 'PENDING'> };

/** The contract's table of states: every other pair of status and trigger changes nothing. */
export const RULES: Record<InvoiceTrigger, Rule> = {
  pay: { from: 'PENDING', to: 'PAID' },
  cancel: { from: 'PENDING', to: 'CANCELED' },
  expire: { from: 'PENDING', to: 'EXPIRED' },
};

/**
 * Whether the validity period is over: `now > end_date`. The invoice can still be paid at `now ==
 * end_date`.
 */
export function isPastEnd(endDateMs: number, nowMs: number): boolean {
  return nowMs > endDateMs;
}
