import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Currency } from '../../lib/money.ts';
import type { StandInPayment, StandInRefund } from './books.ts';
import type { Faults, Hooks } from './hook-call.ts';
import { LocalServer } from './local-server.ts';
import { type AcquirerPage, answerPage, type PageOrder } from './page.ts';
import { StripeBooks, type StripeObject } from './stripe-books.ts';
import { type Form, readForm, StripeRefusal } from './stripe-wire.ts';

/** How Stripe tells of what happened; `held back` until `deliver` is called. */
export type Delivery = 'in order' | 'out of order' | 'twice' | 'held back';

type Kept = { request: string; answer: Promise<[number, object]> | null };
type Call = { owner: string; method: string; path: string; form: Form };

const STATES: Record<string, StandInPayment['state']> = {
  requires_capture: 'held',
  succeeded: 'succeeded',
  canceled: 'ended',
};

const REFUND_STATES: Record<string, StandInRefund['state']> = {
  succeeded: 'succeeded',
  failed: 'ended',
};

const SLOW_MS = 300;
const HOOK_LIMIT_MS = 20_000;

/**
 * Stripe as far as the gateway needs it: Checkout pages, payment intents with manual capture,
 * refunds, disputes, lists in pages, keys that keep the first answer, and signed webhooks.
 */
export class StripeStandIn {
  readonly books: StripeBooks;
  /**
   * What the next calls meet, by operation: `POST /v1/payment_intents/{id}/capture`. A 500
   * is kept under the call's key.
   */
  readonly faults: Faults = new Map();
  /** How often each operation was carried out. */
  readonly counts = new Map<string, number>();
  delivery: Delivery = 'in order';
  private readonly kept = new Map<string, Kept>();
  private readonly hooks: Hooks;
  private readonly server: LocalServer;

  /** @param hooks the secret keys that are let in; read at each call, so that more may be added */
  constructor(hooks: Hooks, clock: () => Date = () => new Date()) {
    this.hooks = hooks;
    this.books = new StripeBooks(clock, (id) => `${this.url}/c/pay/${id}`);
    this.server = new LocalServer((request, response) => this.answer(request, response));
  }

  listen(port = 0): Promise<string> {
    return this.server.listen(port);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  get url(): string {
    return this.server.url;
  }

  /** The pages there of one of our invoices, the oldest first. */
  pagesOf(invoiceId: string): StripeObject[] {
    const isOf = ({ metadata }: StripeObject) =>
      (metadata as { invoice_id?: string }).invoice_id === invoiceId;
    return this.books.all('checkout.session').filter(isOf);
  }

  /** The payments; one that was given back as a whole has ended. */
  payments(): StandInPayment[] {
    return this.books.all('payment_intent').map(({ id, status, amount, metadata, ...intent }) => {
      const charge = this.books.objects.get(String(intent.latest_charge));
      const isBack = charge !== undefined && charge.amount_refunded === charge.amount;
      const { invoice_id: invoiceId = '' } = metadata as { invoice_id?: string };
      const state = isBack ? 'ended' : (STATES[String(status)] ?? 'open');
      return { id, invoiceId, amountMinor: BigInt(Number(amount)), state };
    });
  }

  /** The refunds, whoever asked for them. */
  refunds(): StandInRefund[] {
    return this.books.all('refund').map(({ id, status, amount, metadata, payment_intent }) => ({
      id,
      paymentId: String(payment_intent),
      ourId: (metadata as { refund_id?: string }).refund_id ?? null,
      amountMinor: BigInt(Number(amount)),
      state: REFUND_STATES[String(status)] ?? 'open',
    }));
  }

  /** The buyer pays at a page, and the gateway is told. @returns the payment intent */
  async pay(pageId: string): Promise<StripeObject> {
    const intent = this.books.pay(pageId);
    await this.tell();
    return intent;
  }

  /** A day passes: Stripe may have forgotten all keys. */
  forgetKeys(): void {
    this.kept.clear();
  }

  /** Tells what happened, unless it is held back. */
  async tell(): Promise<void> {
    if (this.delivery !== 'held back') await this.deliver();
  }

  /** Sends all that nobody was told of; what is not answered by 2xx stays for the next time. */
  async deliver(): Promise<void> {
    const events = this.books.events.splice(0);
    if (this.delivery === 'out of order') events.reverse();
    for (const event of events) {
      for (let times = this.delivery === 'twice' ? 2 : 1; times > 0; times--) {
        const status = await this.post(event.owner, this.eventOf(event));
        if ((status < 200 || status > 299) && times === 1) this.books.events.push(event);
      }
    }
  }

  /** The signature of a body by an owner's webhook, made now. */
  signature(owner: string, body: string): string {
    const t = this.books.nowS();
    const { secret = '' } = this.hooks.get(owner) ?? {};
    return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
  }

  /** Posts one event. @returns the status of the answer, 0 for none */
  async post(owner: string, event: object): Promise<number> {
    const { hookUrl = '' } = this.hooks.get(owner) ?? {};
    const body = JSON.stringify(event);
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': this.signature(owner, body),
    };
    const signal = AbortSignal.timeout(HOOK_LIMIT_MS);
    const sent = fetch(hookUrl, { method: 'POST', headers, body, signal });
    return await sent.then(({ status }) => status).catch(() => 0);
  }

  eventOf({ type, object }: { type: string; object: StripeObject }): object {
    return {
      id: `evt_0${randomBytes(12).toString('hex')}`,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: this.books.nowS(),
      livemode: object.livemode,
      type,
      data: { object },
    };
  }

  readonly page: AcquirerPage<PageOrder & { pageId: string }> = {
    acquirer: 'Stripe',
    orderOf: ({ pathname }) => {
      const pageId = pathname.slice('/c/pay/'.length);
      const page = this.books.objects.get(pageId);
      if (page?.status !== 'open' && !(page && this.isPaid(pageId))) return null;
      const { invoice_id: id = pageId } = page.metadata as { invoice_id?: string };
      return {
        id,
        pageId,
        amountMinor: BigInt(Number(page.amount_total)),
        currency: String(page.currency).toUpperCase() as Currency,
        returnUrl: String(page.success_url),
      };
    },
    press: async ({ pageId }, press) => {
      if (press === 'leave') return null;
      this.books.pay(pageId, press === 'decline');
      await this.tell();
      return null;
    },
    cabinet: {
      isPaid: ({ pageId }) => this.isPaid(pageId),
      refund: async ({ pageId }) => {
        const payment_intent = String(this.books.objects.get(pageId)?.payment_intent);
        this.books.refund(this.books.ownerOf(payment_intent), { payment_intent });
        await this.tell();
        return null;
      },
    },
  };

  /** Whether what a page was paid by is captured, and nothing of it refunded. */
  private isPaid(pageId: string): boolean {
    const { objects } = this.books;
    const intent = objects.get(String(objects.get(pageId)?.payment_intent));
    return (
      intent?.status === 'succeeded' &&
      objects.get(String(intent.latest_charge))?.amount_refunded === 0
    );
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    if (url.pathname.startsWith('/c/pay/')) return answerPage(this.page, request, response);
    const { method = '', headers } = request;
    const owner = (headers.authorization ?? '').replace(/^Bearer /, '');
    const body = await text(request);
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (!this.hooks.has(owner)) return send(response, 401, error('Invalid API Key provided'));
    if (method === 'POST' && !isForm) return send(response, 400, error('Send a form'));
    const form = readForm(method === 'POST' ? body : url.search.slice(1));
    const call = { owner, method, path: url.pathname, form };
    const fault = this.faults.get(operationOf(call))?.shift();
    if (fault === 'cut before') return void request.socket.destroy();
    if (fault === 'slow') await wait(SLOW_MS);
    const key = method === 'POST' ? headers['idempotency-key']?.toString() : undefined;
    const work = () => this.work(call, fault === '500');
    const [status, answer, isReplayed] =
      key === undefined
        ? await work()
        : await this.once(`${owner} ${key}`, `${url.pathname} ${body}`, work);
    if (fault === 'cut after') return void request.socket.destroy();
    send(response, status, answer, isReplayed ? { 'idempotent-replayed': 'true' } : {});
    await this.tell();
  }

  /** The first answer under a key is the answer to every repeat (Stripe, "idempotent requests"). */
  private async once(
    key: string,
    request: string,
    work: () => Promise<[number, object, isKept?: boolean]>,
  ): Promise<[number, object, isReplayed?: boolean]> {
    const before = this.kept.get(key);
    if (before && before.request !== request) {
      return [
        400,
        error('Keys for idempotent requests can only be used once', 'idempotency_error'),
      ];
    }
    if (before?.answer === null)
      return [409, error('Another request is under way', 'idempotency_error')];
    if (before) return [...(await before.answer), true];
    const kept: Kept = { request, answer: null };
    this.kept.set(key, kept);
    const [status, answer, isKept] = await work();
    kept.answer = Promise.resolve([status, answer]);
    if (!isKept) this.kept.delete(key);
    return [status, answer];
  }

  private async work(call: Call, isBroken: boolean): Promise<[number, object, boolean]> {
    if (isBroken) return [500, error('An error occurred', 'api_error'), true];
    try {
      const answer = this.carryOut(call);
      const operation = operationOf(call);
      this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1);
      return [200, this.expanded(answer, call.form), true];
    } catch (refusal) {
      if (!(refusal instanceof StripeRefusal)) throw refusal;
      return [refusal.status, refusal.body, refusal.isKept];
    }
  }

  private carryOut(call: Call): object {
    const { owner, form, path } = call;
    const { books } = this;
    const [, , kind = '', second = '', third = ''] = path.split('/');
    const id = kind === 'checkout' ? third : second;
    switch (operationOf(call)) {
      case 'POST /v1/checkout/sessions':
        return books.createPage(owner, form);
      case 'POST /v1/checkout/sessions/{id}/expire':
        return books.expirePage(owner, id);
      case 'POST /v1/payment_intents/{id}/capture':
        return books.capture(owner, id);
      case 'POST /v1/payment_intents/{id}/cancel':
        return books.cancel(owner, id);
      case 'POST /v1/refunds':
        return books.refund(owner, form);
      case 'GET /v1/payment_intents':
        return books.list(owner, 'payment_intent', form, path);
      case 'GET /v1/refunds':
        return books.list(owner, 'refund', form, path);
      case 'GET /v1/checkout/sessions/{id}':
      case 'GET /v1/payment_intents/{id}':
      case 'GET /v1/refunds/{id}':
      case 'GET /v1/disputes/{id}':
      case 'GET /v1/balance_transactions/{id}':
        return books.find(owner, id);
      default:
        throw new StripeRefusal(404, { message: `Unrecognized request URL (${path})` }, false);
    }
  }

  /** Puts objects where their ids stand, as `expand` asks. */
  private expanded(answer: object, { expand }: Form): object {
    const copy = structuredClone(answer) as Record<string, unknown>;
    for (const path of Object.values(typeof expand === 'object' ? expand : {})) {
      this.put(copy, String(path).split('.'));
    }
    return copy;
  }

  private put(into: Record<string, unknown>, [name = '', ...rest]: string[]): void {
    const value = into[name];
    if (Array.isArray(value)) {
      for (const each of value) this.put(each, rest);
      return;
    }
    const found = typeof value === 'string' ? this.books.objects.get(value) : value;
    if (!found) return;
    const copy = structuredClone(found) as Record<string, unknown>;
    into[name] = copy;
    if (rest.length > 0) this.put(copy, rest);
  }
}

const operationOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace(/\/[a-z]+_(?=\w*\d)\w+/g, '/{id}')}`;

const error = (message: string, type = 'invalid_request_error') => ({ error: { type, message } });

function send(
  response: ServerResponse,
  status: number,
  body: object,
  more: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_0${randomBytes(7).toString('hex')}`,
    ...more,
  });
  response.end(JSON.stringify(body));
}
