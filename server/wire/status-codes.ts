import type { InvoiceStatus } from '../invoices/types.ts';

/** The contract's status codes ("States and transitions"). */
export const STATUS_CODES: Record<InvoiceStatus, number> = {
  PENDING: 1,
  PAID: 2,
  EXPIRED: 3,
  CANCELED: 4,
};
