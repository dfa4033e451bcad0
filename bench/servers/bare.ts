// The gateway's baseline: node:http and pg and nothing else, doing the same work with the same
// validation: one token, no limits, no log, one statement a request. It has its own statements, so
// that it does not change with the gateway's.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { STATUS_CODES } from '../../server/invoices/types.ts';
import { newId } from '../../server/lib/ids.ts';
import { parseCreateRequest } from '../../server/wire/create-request.ts';

export type BareSettings = {
  databaseUrl: string;
  poolSize: number;
  merchantId: string;
  token: string;
};

const LIMIT_BYTES = 256 * 1024;
const settings = JSON.parse(process.argv[2] ?? '') as BareSettings;
const { merchantId } = settings;
const tokenHash = createHash('sha256').update(settings.token).digest();
const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: settings.poolSize });

const CREATE = `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor,
    currency, description, positions, merchant_data, success_url, error_url, callback_url, end_date,
    created_at, status_changed_at)
  VALUES ($1, $2, 'sandbox', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
  ON CONFLICT (merchant_id, environment, merchant_transaction_id) DO NOTHING`;

const STATUS = `SELECT id, status, (extract(epoch FROM end_date) * 1000)::float8 AS end_date
  FROM invoices WHERE merchant_id = $1 AND environment = 'sandbox' AND id = $2`;

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function isAuthorised({ headers }: IncomingMessage): boolean {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  const hash = createHash('sha256').update(token).digest();
  return timingSafeEqual(hash, tokenHash) && headers['x-merchant'] === merchantId;
}

async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > LIMIT_BYTES) return answer(response, 413, {});
    chunks.push(chunk as Buffer);
  }
  if (!isAuthorised(request)) return answer(response, 401, {});
  const now = new Date();
  const contentType = request.headers['content-type'] ?? null;
  const parsed = parseCreateRequest(Buffer.concat(chunks), contentType, now.getTime());
  if (!parsed.ok) return answer(response, 422, { detail: parsed.detail });
  const invoice = parsed.value;
  const id = newId('inv', now.getTime());
  const positions = invoice.positions.map(({ title, amountMinor: amount, currency }) => ({
    title,
    amount,
    currency,
  }));
  const { rowCount } = await pool.query({
    name: 'create',
    text: CREATE,
    values: [
      id,
      merchantId,
      invoice.merchantTransactionId,
      invoice.amountMinor,
      invoice.currency,
      invoice.description,
      JSON.stringify(positions),
      invoice.merchantData,
      invoice.successUrl,
      invoice.errorUrl,
      invoice.callbackUrl,
      new Date(invoice.endDateMs).toISOString(),
      now.toISOString(),
    ],
  });
  if (rowCount !== 1) return answer(response, 409, {});
  const data = {
    invoice_id: id,
    invoice_url: `http://localhost/pay/${id}`,
    success_url: invoice.successUrl,
    error_url: invoice.errorUrl,
    status: 1,
    amount: invoice.amountMinor,
    currency: invoice.currency,
    description: invoice.description,
    merchant_transaction_id: invoice.merchantTransactionId,
    merchant_data: invoice.merchantData === null ? null : JSON.parse(invoice.merchantData),
    end_date: invoice.endDateMs,
    created_at: now.getTime(),
  };
  answer(response, 200, { result: true, data, error: null });
}

type StatusRow = { id: string; status: keyof typeof STATUS_CODES; end_date: number };

async function status(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isAuthorised(request)) return answer(response, 401, {});
  const query = new URLSearchParams(request.url?.slice(request.url.indexOf('?')));
  const id = query.get('invoice_id');
  if (!id) return answer(response, 422, {});
  const { rows } = await pool.query<StatusRow>({
    name: 'status',
    text: STATUS,
    values: [merchantId, id],
  });
  const row = rows[0];
  if (!row) return answer(response, 404, {});
  const data = { invoice_id: row.id, status: STATUS_CODES[row.status], end_date: row.end_date };
  answer(response, 200, { result: true, data, error: null });
}

const server = createServer((request, response) => {
  const isStatus = request.url?.startsWith('/api/sandbox/invoice/status');
  const work = isStatus ? status(request, response) : create(request, response);
  work.catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    answer(response, 500, {});
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
