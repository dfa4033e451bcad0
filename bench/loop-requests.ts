import { randomBytes } from 'node:crypto';
import { encode } from 'next-auth/jwt';
import type pg from 'pg';
import { createSession } from '../server/auth/sessions.ts';
import { findOrCreateUser, setMember } from '../server/staff/members.ts';
import { type Credentials, createBody, createRestMerchant } from '../server/testing/rest.ts';
import { writeListData } from './list-data.ts';

/** What the requests need: a merchant with invoices, one of its staff, a final invoice. */
export type Shop = { credentials: Credentials; cookie: string; finalId: string };

/** One request, and its expected answer. */
export type Heavy = {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  status: number;
};

const CREATE = '/api/sandbox/invoice/create';
const LARGEST = 'order-largest';
const POSITIONS = 500;
/** As many as fit into the 16 KiB of merchant data beside the rest. */
const NUMBERS = 2_900;
const LEVELS = 64;

/**
 * Fills a merchant with made-up invoices, a tenth of them pending, and signs its owner in.
 *
 * Both processes need the same AUTH_SECRET in their environment: this call sets it for processes
 * started afterwards.
 */
export async function openShop(pool: pg.Pool, rows: number): Promise<Shop> {
  const now = new Date();
  const secret = randomBytes(32).toString('hex');
  process.env.AUTH_SECRET = secret;
  const merchant = await createRestMerchant(pool);
  await writeListData(pool, { merchantId: merchant.id, rows, now });
  const { id: userId } = await findOrCreateUser(pool, { email: 'owner@example.com', now });
  await setMember(pool, { merchantId: merchant.id, userId, role: 'owner', now });
  const session = await createSession(pool, { userId, address: null, userAgent: null, now });
  const { rows: found } = await pool.query<{ id: string }>(
    `SELECT id FROM invoices WHERE environment = 'sandbox' AND status = 'PAID' LIMIT 1`,
  );
  return {
    credentials: merchant.sandbox,
    cookie: `next-auth.session-token=${await encode({ token: { sub: session.id }, secret })}`,
    finalId: found[0]?.id ?? '',
  };
}

/** The largest invoice, with all that makes reading expensive: escapes, fractions, depth. */
function largest(merchantTransactionId?: string): string {
  const text = (length: number) => 'ж"\\'.repeat(length).slice(0, length);
  const position = { title: text(120), amount: 1, currency: 'USD' };
  return JSON.stringify(
    createBody({
      description: text(1024),
      positions: new Array(POSITIONS).fill(position),
      merchant_data: { at: new Array(NUMBERS).fill(1.5) },
      ...(merchantTransactionId !== undefined && {
        merchant_transaction_id: merchantTransactionId,
      }),
    }),
  );
}

/** Makes that invoice; returns its payment page. */
export async function createLargest(port: number, { credentials }: Shop): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${CREATE}`, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: largest(LARGEST),
  });
  const text = await answer.text();
  const found = /\/pay\/inv_\w+/.exec(text);
  if (!found) throw new Error(`the largest invoice was answered ${answer.status}: ${text}`);
  return found[0];
}

/** As many faults as are reported, each below as many keys as are reported. */
function faulty(): string {
  const opened = Array.from(
    { length: LEVELS },
    (_, level) => `{"${`${level}`.padEnd(1_000, 'k')}":`,
  );
  const values = new Array(20_000).fill('"\\u0000"').join();
  return `{"x":${opened.join('')}[${values}]${'}'.repeat(LEVELS)},"positions":[${new Array(POSITIONS).fill('{}').join()}]}`;
}

/**
 * The heaviest requests of each kind; those that work only once are made anew each time.
 *
 * @param payPage of the largest invoice
 */
export function heavyRequests(
  { credentials, cookie }: Shop,
  payPage: string,
): { name: string; next: () => Heavy }[] {
  const json = { ...credentials, 'content-type': 'application/json' };
  const post = (path: string, body: () => string, status: number) => (name: string) => ({
    name,
    next: (): Heavy => ({ name, method: 'POST', path, headers: json, body: body(), status }),
  });
  const get =
    (path: string, headers: Heavy['headers'], status = 200) =>
    (name: string) => ({
      name,
      next: (): Heavy => ({ name, method: 'GET', path, headers, status }),
    });
  const ofStaff = (path: string) =>
    get(`/dashboard/sandbox${path}`, { cookie, 'sec-fetch-site': 'same-origin' });
  const wanted = `/api/sandbox/invoice/status?merchant_transaction_id=${LARGEST}`;
  return [
    post(CREATE, () => largest(), 200)('a create of the largest invoice'),
    post(CREATE, () => faulty(), 422)('a create with faults only'),
    get(wanted, credentials)('the status of the largest invoice'),
    get(payPage, {})('its payment page'),
    ofStaff('')('the overview'),
    ofStaff('/invoices')('a list of invoices'),
    ofStaff('/callbacks')('a list of callbacks'),
    ofStaff('/developers/requests')('the request log'),
    ofStaff('/invoices/export')('a download of all invoices'),
    get('/dashboard/sign-in', {})('the sign-in page'),
    get('/docs/api', {})('the reference of the API'),
    get('/docs/callbacks', {})('a page of the documentation'),
    get('/api/openapi.json', {})('the OpenAPI document'),
  ];
}
