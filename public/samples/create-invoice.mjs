// Creates an invoice. Node 18 or newer.
// Run: API_TOKEN=… node create-invoice.mjs
import { randomUUID } from 'node:crypto';

const order = `order-${randomUUID()}`;
const response = await fetch('{base_url}/invoice/create', {
  method: 'POST',
  signal: AbortSignal.timeout(10_000),
  headers: {
    Authorization: `Bearer ${process.env.API_TOKEN}`,
    'X-Merchant': '{merchant_id}',
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
