// Brings your books level with what happened at the gateway. Node 18 or newer.
// export BASE_URL=https://…/api/sandbox
// export MERCHANT_ID=mer_…
// Run: API_TOKEN=… node catch-up.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const { BASE_URL, MERCHANT_ID, API_TOKEN } = process.env;
for (const [name, value] of Object.entries({ BASE_URL, MERCHANT_ID, API_TOKEN })) {
  if (!value) throw new Error(`${name} is not set`);
}

// In place of your database, where the cursor stands beside the books.
const FILE = 'books.json';
const books = existsSync(FILE)
  ? JSON.parse(readFileSync(FILE, 'utf8'))
  : { cursor: null, invoices: {}, refunds: {} };

function save() {
  writeFileSync(`${FILE}.new`, JSON.stringify(books, null, 2));
  renameSync(`${FILE}.new`, FILE);
}

function handle(event) {
  const { type, invoice_id, refund_id } = event;
  const entries = refund_id ? books.refunds : books.invoices;
  const id = refund_id ?? invoice_id;
  // A callback may have told more already.
  if (type.endsWith('.created') && entries[id]) return;
  entries[id] = event;
}

async function readPage(cursor) {
  const query = new URLSearchParams({ limit: '1000' });
  if (cursor) query.set('after', cursor);
  const response = await fetch(`${BASE_URL}/event/list?${query}`, {
    signal: AbortSignal.timeout(30_000),
    headers: { Authorization: `Bearer ${API_TOKEN}`, 'X-Merchant': MERCHANT_ID },
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
  }
  return answer.data;
}

for (;;) {
  const { events, next_cursor } = await readPage(books.cursor);
  if (events.length === 0) break;
  for (const event of events) {
    handle(event);
    console.log(event.type, event.refund_id ?? event.invoice_id);
  }
  books.cursor = next_cursor;
  save(); // the events and their cursor together: a run that dies loses neither
}
console.log('The books are level.');
