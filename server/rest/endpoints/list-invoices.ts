import { listRecords } from '../../invoices/reading/record-list.ts';
import { invoiceListText } from '../../wire/invoice-records.ts';
import { parseListQuery } from '../../wire/list-query.ts';
import { invalid, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';

async function handle(
  { db, publicUrl }: RestContext,
  { query, tenant, now, requestId }: AuthenticatedRequest,
): Promise<Answer> {
  const asked = parseListQuery(query);
  if (!asked.ok) return invalid(asked.detail);
  const page = await listRecords(db, tenant, asked.value, { now, requestId });
  return success(invoiceListText(page, publicUrl));
}

/** `GET /invoice/list`. */
export const listInvoicesEndpoint: Endpoint = { method: 'GET', scope: 'invoices.read', handle };
