import {
  type FaultParams,
  faultAt,
  type Validated,
  type ValidationItem,
  valueError,
} from './validation.ts';

/** What names an invoice in a request. */
export type InvoiceReference = { invoiceId: string } | { merchantTransactionId: string };

const GIVEN_TWICE: FaultParams = valueError('given more than once');
const EMPTY: FaultParams = {
  type: 'string_too_short',
  msg: 'String should have at least 1 character',
};
const MISSING: FaultParams = { type: 'missing', msg: 'Field required' };

function queryFault(name: string, values: string[]): ValidationItem[] {
  if (values.length > 1) return [faultAt(['query', name], GIVEN_TWICE)];
  return values[0] === '' ? [faultAt(['query', name], EMPTY)] : [];
}

/**
 * Reads the query of a status request: `invoice_id`, or instead
 * `merchant_transaction_id` (the way back for a merchant that lost the answer to
 * its create); both or neither is a fault.
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
