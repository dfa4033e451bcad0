// app/callback/route.ts of Next.js 13 or newer (App Router).
// In the environment: WEBHOOK_SECRET=whsec_…
import { createHmac, timingSafeEqual } from 'node:crypto';

export const runtime = 'nodejs';

const TOLERANCE_S = 300;
// More than any callback has: whoever sends more is not the gateway.
const LIMIT_BYTES = 1024 * 1024;

// Standard Webhooks: HMAC-SHA256 of id.timestamp.body, over the body's raw bytes.
function isGenuine(headers: Headers, rawBody: Buffer): boolean {
  const secret = (process.env.WEBHOOK_SECRET ?? '').trim().replace(/^whsec_/, '');
  const key = Buffer.from(secret, 'base64');
  // Anybody can sign with an empty key, or with what is left of no base64.
  if (!secret || key.toString('base64') !== secret) {
    throw new Error('WEBHOOK_SECRET is empty or no base64');
  }
  const id = headers.get('webhook-id');
  const timestamp = headers.get('webhook-timestamp');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_S)) return false;
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`);
  const expected = hmac.update(rawBody).digest();
  // Two signatures during a rotation of the secret: one of them must be right.
  return (headers.get('webhook-signature') ?? '').split(' ').some((each) => {
    if (!each.startsWith('v1,')) return false;
    const given = Buffer.from(each.slice(3), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// Not request.json(): the signature is over the bytes as they came.
async function readBody(request: Request): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.length;
    if (size > LIMIT_BYTES) return null;
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

export async function POST(request: Request): Promise<Response> {
  const rawBody = await readBody(request);
  if (rawBody === null || !isGenuine(request.headers, rawBody)) {
    return new Response(null, { status: 401 });
  }
  const invoice = JSON.parse(rawBody.toString('utf8'));
  // Handle each webhook-id once; compare amount and currency with your order;
  // release the goods only on status 2 (PAID).
  const id = request.headers.get('webhook-id');
  console.log(id, invoice.merchant_transaction_id, invoice.status);
  return Response.json({ success: true });
}
