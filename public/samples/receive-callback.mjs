// Receives callbacks. Node 18 or newer.
// Run: WEBHOOK_SECRET=whsec_… node receive-callback.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = (process.env.WEBHOOK_SECRET ?? '').trim().replace(/^whsec_/, '');
const key = Buffer.from(secret, 'base64');
// Anybody can sign with an empty key, or with what is left of no base64.
if (!secret || key.toString('base64') !== secret) {
  throw new Error('WEBHOOK_SECRET is empty or no base64');
}
const TOLERANCE_S = 300;
// More than any callback has: whoever sends more is not the gateway.
const LIMIT_BYTES = 1024 * 1024;

// Standard Webhooks: HMAC-SHA256 of id.timestamp.body, over the body's raw bytes.
function isGenuine(headers, rawBody) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_S)) return false;
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`);
  const expected = hmac.update(rawBody).digest();
  // Two signatures during a rotation of the secret: one of them must be right.
  return String(headers['webhook-signature']).split(' ').some((each) => {
    if (!each.startsWith('v1,')) return false;
    const given = Buffer.from(each.slice(3), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer((request, response) => {
  const chunks = [];
  let size = 0;
  request.on('data', (chunk) => {
    size += chunk.length;
    if (size > LIMIT_BYTES) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => {
    const rawBody = Buffer.concat(chunks);
    if (!isGenuine(request.headers, rawBody)) {
      response.writeHead(401).end();
      return;
    }
    const invoice = JSON.parse(rawBody);
    // Handle each webhook-id once; compare amount and currency with your order;
    // release the goods only on status 2 (PAID).
    const id = request.headers['webhook-id'];
    console.log(id, invoice.merchant_transaction_id, invoice.status);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{"success": true}');
  });
}).listen(Number(process.env.PORT ?? 4000));
