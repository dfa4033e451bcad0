// Creates an invoice. Node 18 or newer.
// export BASE_URL=https://…/api/sandbox
// export MERCHANT_ID=mer_…
// Run: API_TOKEN=… node create-invoice.mjs
import { randomUUID } from 'node:crypto';

const { BASE_URL, MERCHANT_ID, API_TOKEN } = process.env;
for (const [name, value] of Object.entries({ BASE_URL, MERCHANT_ID, API_TOKEN })) {
  if (!value) throw new Error(`${name} is not set`);
}
const order = `order-${randomUUID()}`;
const response = await fetch(`${BASE_URL}/invoice/create`, {
  method: 'POST',
  signal: AbortSignal.timeout(10_000),
  headers: {
    Authorization: `Bearer ${API_TOKEN}`,
    'X-Merchant': MERCHANT_ID,
    'Content-Type': 'application/json',
    'Idempotency-Key': order, // after a lost answer, send the same again
  },
  body: JSON.stringify({
    merchant_transaction_id: order,
    amount: 1500, // 15.00 USD
    currency: 'USD',
    description: 'Two bags of coffee',
    end_date: Date.now() + 60 * 60 * 1000,
    positions: [{ title: 'Coffee beans, 1 kg', amount: 1500, currency: 'USD' }],
    success_url: 'https://shop.example/thanks',
    error_url: 'https://shop.example/cart',
    callback_url: 'https://shop.example/callback',
  }),
});
const answer = await response.json();
if (!response.ok) {
  throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
}
console.log(answer.data.invoice_id);
console.log(answer.data.invoice_url); // send the buyer there
