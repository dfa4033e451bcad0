// A small shop on Express: creates an invoice, sends the buyer to the payment page, and releases
// the goods when the callback says PAID. See examples/README.md for how to run it.
import { randomUUID } from 'node:crypto';
import express from 'express';
import { GatewayClient, STATUS } from 'payment-gateway-client';
import { verifyCallback } from 'payment-gateway-client/callback';
import { CallbackNotGenuineError } from 'payment-gateway-client/errors';
import {
  frontPage,
  lookedAtPage,
  notPaidPage,
  paidPage,
  troublePage,
  waitingPage,
} from './pages.js';
import { settings } from './settings.js';

const PRODUCT = { title: 'Ethiopia Yirgacheffe, 250 g', amount: 1250, currency: 'USD' };
const HOUR_MS = 3_600_000;

const gateway = new GatewayClient(settings);
// A real shop keeps both in its database, the second with a unique key.
const orders = new Map();
const handledCallbacks = new Set();

const app = express();

app.get('/', (_request, response) => {
  response.send(frontPage(PRODUCT));
});

app.post('/orders', async (_request, response) => {
  const { title, amount, currency } = PRODUCT;
  const order = { id: `order-${randomUUID()}`, amount, currency, state: 'new' };
  // Stored before the gateway is called: the callback can be faster than the answer.
  orders.set(order.id, order);
  const address = `${settings.shopUrl}/orders/${order.id}`;
  try {
    const invoice = await gateway.createInvoice(
      {
        amount,
        currency,
        description: `Order ${order.id}`,
        end_date: Date.now() + HOUR_MS,
        positions: [{ title, amount, currency }],
        merchant_transaction_id: order.id,
        success_url: address,
        error_url: `${address}/not-paid`,
        callback_url: `${settings.shopUrl}/gateway/callback`,
      },
      { idempotencyKey: order.id },
    );
    order.invoiceId = invoice.invoice_id;
    response.redirect(303, invoice.invoice_url);
  } catch (error) {
    process.stderr.write(`no invoice for ${order.id}: ${error.code ?? error}\n`);
    response.status(502).send(troublePage());
  }
});

/** The buyer's page; both return addresses show what is known by now. */
function orderPage(order, isBackUnpaid) {
  switch (order.state) {
    case 'paid':
      return paidPage(order);
    case 'to be looked at':
      return lookedAtPage(order);
    case 'expired':
    case 'canceled':
      return notPaidPage(order, { isOver: true });
    default:
      return isBackUnpaid ? notPaidPage(order, { isOver: false }) : waitingPage(order);
  }
}

const sendOrderPage = (isBackUnpaid) => (request, response) => {
  const order = orders.get(request.params.id);
  if (!order) response.sendStatus(404);
  else response.send(orderPage(order, isBackUnpaid));
};

app.get('/orders/:id', sendOrderPage(false));
app.get('/orders/:id/not-paid', sendOrderPage(true));

/** Carries out a notification; doing it twice must change nothing. */
function handle(webhookId, invoice) {
  if (handledCallbacks.has(webhookId)) return 'a repeat';
  const order = orders.get(invoice.merchant_transaction_id);
  if (!order) return 'not an order of this shop';
  if (invoice.status === STATUS.PAID) {
    // A buyer who changed the amount on the way must not get the goods for it.
    const fits = invoice.amount === order.amount && invoice.currency === order.currency;
    order.state = fits ? 'paid' : 'to be looked at';
  } else if (order.state === 'new') {
    order.state = invoice.status === STATUS.EXPIRED ? 'expired' : 'canceled';
  }
  handledCallbacks.add(webhookId);
  return order.state;
}

// The raw body: the signature covers its bytes, so no JSON parser may touch it first.
const rawBody = express.raw({ type: () => true, limit: '1mb' });

app.post('/gateway/callback', rawBody, async (request, response) => {
  // A request without a body has none.
  const { headers, body = '' } = request;
  try {
    const { webhookId, invoice } = await verifyCallback({
      body,
      headers,
      secrets: settings.secrets,
    });
    const outcome = handle(webhookId, invoice);
    process.stdout.write(`callback ${webhookId}: ${invoice.merchant_transaction_id}: ${outcome}\n`);
    response.json({ success: true });
  } catch (error) {
    if (!(error instanceof CallbackNotGenuineError)) throw error;
    process.stderr.write(`callback refused: ${error.fault}\n`);
    response.status(401).json({ success: false });
  }
});

app.listen(settings.port, () => {
  process.stdout.write(`the shop is open on ${settings.shopUrl}\n`);
});
