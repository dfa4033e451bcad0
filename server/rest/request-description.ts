import { MAX_SEARCH_LENGTH } from '../invoices/types.ts';
import { isStorable } from '../lib/typed-text.ts';
import type { ApiRequest } from '../merchants/api-requests.ts';
import type { Tenant } from '../merchants/types.ts';
import type { ValidationItem } from '../wire/validation.ts';
import type { RestRequest } from './types.ts';

/** A request and its answer, as the handler knows them. */
export type Exchanged = {
  tenant: Tenant;
  tokenId: string;
  at: Date;
  requestId: string;
  /** The query is read only when it is described. */
  request: Pick<RestRequest, 'method' | 'path' | 'query'>;
  status: number;
  durationMs: number;
  /** The request's body. */
  body: Uint8Array;
  answer: string | Buffer;
};

type Json = { [key: string]: unknown };

const MAX_FAULTS = 20;
const MAX_FAULTS_LENGTH = 8 * 1024;

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** A name to search by; null for one that is too long or that PostgreSQL cannot store. */
function nameIn(...places: unknown[]): string | null {
  const found = places.find((each) => typeof each === 'string' && each !== '');
  if (typeof found !== 'string' || found.length > MAX_SEARCH_LENGTH) return null;
  return isStorable(found) ? found : null;
}

/**
 * `detail` as text for PostgreSQL; JSON escapes what it would refuse. It has as many faults, from
 * the first on, as fit. The first always fits, because a place takes a few hundred characters at
 * most.
 */
function faultsIn({ detail }: Json): string | null {
  if (!Array.isArray(detail)) return null;
  const faults = detail as ValidationItem[];
  const texts: string[] = [];
  let length = 0;
  for (const fault of faults.slice(0, MAX_FAULTS)) {
    const text = JSON.stringify(fault);
    length += text.length + ','.length;
    if (length > MAX_FAULTS_LENGTH) break;
    texts.push(text);
  }
  return `[${texts.join()}]`;
}

/**
 * What is stored of a request: its invoice and order, and its faults. It is read from the request
 * and answer, so that no endpoint has to know of it; nothing else of the bodies is stored.
 */
export function describeExchange(exchanged: Exchanged): Omit<ApiRequest, 'skipped'> {
  const { request, body, answer, ...rest } = exchanged;
  const { method, path } = request;
  const query = method === 'GET' ? request.query : null;
  const said = parsed(String(answer));
  const data = (said.data ?? {}) as Json;
  // A success names its invoice in the answer. For a failure only the body does, however long it
  // is: the journal keeps so few failures a second that parsing them costs little.
  const isNamed = data.invoice_id !== undefined;
  const asked = body.length > 0 && !isNamed ? parsed(Buffer.from(body).toString()) : {};
  const error = (said.error ?? {}) as Json;
  return {
    ...rest,
    method,
    path,
    message: typeof error.message === 'string' ? error.message : null,
    faults: faultsIn(said),
    invoiceId: nameIn(data.invoice_id, query?.get('invoice_id'), asked.invoice_id),
    merchantTransactionId: nameIn(
      data.merchant_transaction_id,
      query?.get('merchant_transaction_id'),
      asked.merchant_transaction_id,
    ),
  };
}
