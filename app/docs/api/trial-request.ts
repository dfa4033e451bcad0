import type { Visitor } from './visitor.ts';

/** The request of a reader's trial. */
export type TrialRequest = {
  method: 'GET' | 'POST';
  /** The address from the origin's root, query included. */
  address: string;
  /** JSON text as the reader left it; null for a GET. */
  body: string | null;
};

const HOUR_MS = 3_600_000;
const LOCAL_NAMES = ['localhost', '127.0.0.1'];
/** The receivers of the quick start listen here. */
const LOCAL_CALLBACK = 'http://localhost:4000/callback';

/** An example with values that work now: an unused id, an end in an hour, the newest invoice. */
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

/** Why the credentials cannot be right, or even be sent as headers; null if they may be. */
export function credentialsFault({ merchantId, token }: Visitor): string | null {
  for (const [name, text] of Object.entries({ 'merchant id': merchantId, token })) {
    const [odd] = /[^\x21-\x7e]/u.exec(text) ?? [];
    if (odd) return `The ${name} cannot hold “${odd}”. Copy it whole.`;
  }
  return null;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request for a shell. The token stays a variable, so that the command can be shared. */
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

// The sections of the errors page, by the first status of each; 503 shares 500's.
const ERROR_SECTIONS: { [status: number]: string } = {
  401: '401-unauthorized',
  403: '403-forbidden',
  404: '404-not-found',
  405: '405-method-not-allowed',
  409: '409-conflict',
  413: '413-too-large',
  422: '422-not-valid',
  429: '429-too-many-requests',
  500: '500-and-503',
  503: '500-and-503',
};

/** The explanation of an unsuccessful answer. */
export function errorsAddress(status: number): string {
  const section = ERROR_SECTIONS[status];
  return section ? `/docs/errors#${section}` : '/docs/errors';
}
