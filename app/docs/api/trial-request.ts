import type { Visitor } from './visitor.ts';

/** What is sent when a reader tries an operation. */
export type TrialRequest = {
  method: 'GET' | 'POST';
  /** From the origin's root, query included. */
  address: string;
  /** JSON text as the reader left it; null for a GET. */
  body: string | null;
};

const HOUR_MS = 3_600_000;
const LOCAL_NAMES = ['localhost', '127.0.0.1'];
/** Where the receivers of the quick start listen. */
const LOCAL_CALLBACK = 'http://localhost:4000/callback';

/**
 * An example with values that work now: an id that nobody has used, an end in an hour, the
 * invoice that was made last.
 */
export function freshBody(
  example: object,
  {
    invoiceId,
    nowMs,
    random,
    hostname,
  }: { invoiceId: string; nowMs: number; random: string; hostname: string },
): string {
  const body: Record<string, unknown> = { ...example };
  if ('merchant_transaction_id' in body) body.merchant_transaction_id = `order-${random}`;
  if ('end_date' in body) body.end_date = nowMs + HOUR_MS;
  if ('callback_url' in body && LOCAL_NAMES.includes(hostname)) body.callback_url = LOCAL_CALLBACK;
  if ('invoice_id' in body && invoiceId) body.invoice_id = invoiceId;
  if ('outcome' in body) body.outcome = 'approved';
  return JSON.stringify(body, null, 2);
}

/** The headers that every request carries. */
export function trialHeaders(
  { merchantId, token }: Visitor,
  hasBody: boolean,
): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'X-Merchant': merchantId,
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
  };
}

/** Why they cannot be right, nor even be sent as headers, in words; null when nothing is odd. */
export function credentialsFault({ merchantId, token }: Visitor): string | null {
  for (const [name, text] of Object.entries({ 'merchant id': merchantId, token })) {
    const [odd] = /[^\x21-\x7e]/u.exec(text) ?? [];
    if (odd) return `The ${name} cannot hold “${odd}”. Copy it whole.`;
  }
  return null;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request for a shell. The token stays a variable, so that it can be shared. */
export function curlCommand(
  origin: string,
  { method, address, body }: TrialRequest,
  merchantId: string,
): string {
  const parts = [
    `curl -s ${quoted(origin + address)}`,
    '-H "Authorization: Bearer $API_TOKEN"',
    `-H ${quoted(`X-Merchant: ${merchantId || 'mer_…'}`)}`,
  ];
  if (method === 'POST') {
    parts.push("-H 'Content-Type: application/json'", `--data-raw ${quoted(body ?? '')}`);
  }
  return parts.join(' \\\n  ');
}

// The sections of the errors page by the status that each begins with; 503 stands with 500.
const ERROR_SECTIONS: { [status: number]: string } = {
  401: '401-unauthorized',
  404: '404-not-found',
  405: '405-method-not-allowed',
  409: '409-conflict',
  413: '413-too-large',
  422: '422-not-valid',
  429: '429-too-many-requests',
  500: '500-and-503',
  503: '500-and-503',
};

/** Where an answer that is not a success is explained. */
export function errorsAddress(status: number): string {
  const section = ERROR_SECTIONS[status];
  return section ? `/docs/errors#${section}` : '/docs/errors';
}
