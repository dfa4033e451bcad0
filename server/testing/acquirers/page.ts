import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Currency, formatMoney } from '../../lib/money.ts';
import { LocalServer } from './local-server.ts';

/** What a person does at an acquirer's page. */
export const PRESSES = ['pay', 'decline', 'leave'] as const;
export type Press = (typeof PRESSES)[number];

/** What is to be paid at a page, in UZS unless it says otherwise. */
export type PageOrder = {
  id: string;
  amountMinor: bigint;
  currency?: Currency;
  returnUrl: string;
};

/** An acquirer's page as a stand-in has it. */
export type AcquirerPage<Order extends PageOrder = PageOrder> = {
  acquirer: string;
  /** What an address is about; null where it is about nothing. */
  orderOf(url: URL): Order | null;
  /** Does what was pressed. @returns why the gateway did not want it; null when it did */
  press(order: Order, press: Press): Promise<string | null>;
  /** Refunds a paid order from the acquirer's own cabinet, where the gateway is told of that. */
  cabinet?: {
    /** Whether the order is paid and nothing of it is refunded. */
    isPaid(order: Order): boolean;
    /** Gives all of it back. @returns why the gateway did not want it; null when it did */
    refund(order: Order): Promise<string | null>;
  };
  /** What else the stand-in answers, as JSON; null for what it does not know. */
  answerCall?(method: string, url: URL): object | null;
};

const BUTTONS: Record<Press | 'refund', { label: string; told: string }> = {
  pay: { label: 'Pay', told: 'The money is taken, and the gateway is told.' },
  decline: { label: 'Decline', told: 'The payment is refused.' },
  leave: { label: 'Leave', told: 'The buyer goes back with the payment neither made nor refused.' },
  refund: { label: 'Refund', told: 'The money goes back from the acquirer’s own cabinet.' },
};

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:24rem;padding:2rem 1rem}h1{font-size:1.25rem;margin:0}
.amount{font-size:1.75rem;font-weight:600;margin:.25rem 0 0;overflow-wrap:anywhere}
.order{margin:.25rem 0 1.5rem;opacity:.75;overflow-wrap:anywhere;font-size:.875rem}
button{font:inherit;font-weight:600;width:100%;min-height:3rem;margin-top:1rem;border-radius:.75rem;border:1px solid}
p.told{margin:.25rem 0 0;font-size:.875rem;opacity:.8}.fault{overflow-wrap:anywhere;border:1px solid;border-radius:.75rem;padding:1rem}`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (raw: string) => raw.replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each);

function pageHtml<Order extends PageOrder>(
  { acquirer, cabinet }: AcquirerPage<Order>,
  order: Order,
  fault: string | null,
) {
  const { id, amountMinor, currency = 'UZS', returnUrl } = order;
  const presses = cabinet?.isPaid(order) ? (['refund'] as const) : PRESSES;
  const buttons = presses.map(
    (press) => `<button name="press" value="${press}">${BUTTONS[press].label}</button>
      <p class="told">${BUTTONS[press].told}</p>`,
  );
  const told =
    fault === null
      ? ''
      : `<p class="fault" role="alert">The gateway did not want this: ${escapeHtml(fault)}
        <a href="${escapeHtml(returnUrl)}">Back to the invoice</a></p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${acquirer} (stand-in)</title><style>${STYLE}</style></head><body><main>
    <h1>${acquirer}: a stand-in</h1><p class="amount">${formatMoney(amountMinor, currency, 'en')}</p>
    <p class="order">For ${escapeHtml(id)}. No money moves here.</p>${told}
    <form method="post">${buttons.join('')}</form></main></body></html>`;
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(html);
}

/** Shows an acquirer's page, or does what was pressed at it and sends the buyer back. */
export async function answerPage<Order extends PageOrder>(
  page: AcquirerPage<Order>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const call = page.answerCall?.(request.method ?? '', url);
  if (call) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(call));
    return;
  }
  const order = page.orderOf(url);
  if (!order) return sendPage(response, 404, '<!doctype html><title>Not found</title>Not found');
  if (request.method !== 'POST') {
    return sendPage(response, 200, pageHtml(page, order, null));
  }
  const pressed = new URLSearchParams(await text(request)).get('press');
  const press = PRESSES.find((each) => each === pressed) ?? 'leave';
  const doing =
    pressed === 'refund' && page.cabinet?.isPaid(order)
      ? page.cabinet.refund(order)
      : page.press(order, press);
  const fault = await doing.catch((error: Error) => error.message);
  if (fault !== null) return sendPage(response, 200, pageHtml(page, order, fault));
  response.writeHead(303, { location: order.returnUrl });
  response.end();
}

/** A server on this machine, and how to end it. */
export type Served = { url: string; close(): Promise<void> };

/** Serves an acquirer's page on this machine alone. @throws where the port is taken */
export async function servePage<Order extends PageOrder>(
  page: AcquirerPage<Order>,
  port: number,
): Promise<Served> {
  const server = new LocalServer((request, response) => answerPage(page, request, response));
  return { url: await server.listen(port), close: () => server.close() };
}
