import type { InvoiceReference } from '../invoices/types.ts';
import {
  EMPTY_STRING,
  type FaultParams,
  faultAt,
  MISSING,
  type Validated,
  type ValidationItem,
  valueError,
} from './validation.ts';

const GIVEN_TWICE: FaultParams = valueError('given more than once');

function queryFault(name: string, values: string[]): ValidationItem[] {
  if (values.length > 1) return [faultAt(['query', name], GIVEN_TWICE)];
  return values[0] === '' ? [faultAt(['query', name], EMPTY_STRING)] : [];
}

/** A parameter that may be left out; its text is null with a fault, too. */
export function readOnce(
  query: URLSearchParams,
  name: string,
): { text: string | null; detail: ValidationItem[] } {
  const values = query.getAll(name);
  const detail = queryFault(name, values);
  return { text: detail.length > 0 ? null : (values[0] ?? null), detail };
}

/** Reads the query of a request about one invoice, which it names by `invoice_id`. */
export function parseInvoiceQuery(query: URLSearchParams): Validated<{ invoiceId: string }> {
  const ids = query.getAll('invoice_id');
  const [invoiceId] = ids;
  if (invoiceId === undefined) {
    return { ok: false, detail: [faultAt(['query', 'invoice_id'], MISSING)] };
  }
  const detail = queryFault('invoice_id', ids);
  return detail.length > 0 ? { ok: false, detail } : { ok: true, value: { invoiceId } };
}

/**
 * Reads the query of a status request: either `invoice_id` or `merchant_transaction_id` (for a
 * merchant that lost the answer to its create). Both or neither is a fault.
 */
export function parseStatusQuery(query: URLSearchParams): Validated<InvoiceReference> {
  const ids = query.getAll('invoice_id');
  const transactionIds = query.getAll('merchant_transaction_id');
  const detail = [
    ...queryFault('invoice_id', ids),
    ...queryFault('merchant_transaction_id', transactionIds),
  ];
  const [invoiceId] = ids;
  const [merchantTransactionId] = transactionIds;
  if (invoiceId === undefined && merchantTransactionId === undefined) {
    detail.push(faultAt(['query', 'invoice_id'], MISSING));
  }
  if (invoiceId !== undefined && merchantTransactionId !== undefined) {
    detail.push(
      faultAt(
        ['query', 'merchant_transaction_id'],
        valueError('give invoice_id or merchant_transaction_id, not both'),
      ),
    );
  }
  if (detail.length > 0) return { ok: false, detail };
  if (invoiceId !== undefined) return { ok: true, value: { invoiceId } };
  return { ok: true, value: { merchantTransactionId: merchantTransactionId ?? '' } };
}
