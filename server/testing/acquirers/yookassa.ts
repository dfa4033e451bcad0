import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { toDecimalString } from '../../lib/money.ts';
import type { StandInPayment, StandInRefund } from './books.ts';
import type { Hooks } from './hook-call.ts';
import { LocalServer } from './local-server.ts';
import { type AcquirerPage, answerPage, type PageOrder } from './page.ts';
import { Refused, YooKassaLedger } from './yookassa-ledger.ts';
import {
  type Payment,
  paymentObject,
  type Refund,
  refundObject,
  type Shop,
} from './yookassa-objects.ts';

/** What the next call of an operation meets. */
export type YooKassaFault = 'cut before' | 'cut after' | '500' | 'slow' | 'processing' | 'too many';

const STATES: Record<string, StandInPayment['state']> = {
  waiting_for_capture: 'held',
  succeeded: 'succeeded',
  canceled: 'ended',
};

const REFUND_STATES: Record<string, StandInRefund['state']> = {
  succeeded: 'succeeded',
  canceled: 'ended',
};

type Kept = { call: string; atMs: number; status: number; answer: object };

const NEW_SHOP = { hookUrl: null, sendsReceipts: false, isEnabled: true, isTest: true };
const KEY_LIFE_MS = 24 * 3_600_000;
const HOOK_LIMIT_MS = 20_000;

/**
 * YooKassa as far as the gateway needs it: two-stage payments with a page, refunds, lists, and
 * notifications that nobody signs. It keeps books of its own, which tests hold against the gateway's.
 */
export class YooKassaStandIn extends YooKassaLedger {
  readonly shops = new Map<string, Shop>();
  /** What the next calls of an operation meet, by its path without ids: `POST /payments/capture`. */
  readonly faults = new Map<string, YooKassaFault[]>();
  /** How often each operation was asked for. */
  readonly counts = new Map<string, number>();
  /** How long a slow answer takes. */
  slowMs = 20_000;
  /** The body of each POST that was carried out, with its key. */
  readonly posts: { operation: string; key: string; body: string }[] = [];
  private readonly keys = new Map<string, Kept>();
  private readonly now: () => Date;
  private readonly hooks: Hooks;
  private readonly server: LocalServer;

  /** @param hooks shops by their ids; read at each call, so that more may be added */
  constructor(
    shops: readonly (Partial<Shop> & Pick<Shop, 'id' | 'secretKey'>)[],
    { clock = () => new Date(), hooks = new Map() }: { clock?: () => Date; hooks?: Hooks } = {},
  ) {
    super(clock);
    this.now = clock;
    this.hooks = hooks;
    for (const shop of shops) this.shops.set(shop.id, { ...NEW_SHOP, ...shop });
    this.server = new LocalServer((request, response) => this.answer(request, response));
  }

  async listen(port = 0): Promise<string> {
    await this.server.listen(port);
    return this.apiUrl;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  get url(): string {
    return this.server.url;
  }

  get apiUrl(): string {
    return `${this.url}/v3`;
  }

  /** The payments as they stand; one that was given back as a whole has ended. */
  books(): StandInPayment[] {
    return [...this.payments.values()].map(
      ({ id, status, metadata, amountMinor, refundedMinor }) => {
        const { invoice_id: invoiceId = '' } = metadata;
        const state = refundedMinor === amountMinor ? 'ended' : (STATES[status] ?? 'open');
        return { id, invoiceId, amountMinor, state };
      },
    );
  }

  /** The refunds as they stand, whoever asked for them. */
  refundBooks(): StandInRefund[] {
    return [...this.refunds.values()].map(({ id, paymentId, metadata, amountMinor, status }) => ({
      id,
      paymentId,
      ourId: metadata.refund_id ?? null,
      amountMinor,
      state: REFUND_STATES[status] ?? 'open',
    }));
  }

  /** The payments there of one of our invoices. */
  of(invoiceId: string): Payment[] {
    return [...this.payments.values()].filter(({ metadata }) => metadata.invoice_id === invoiceId);
  }

  /**
   * Sends what the shops have not taken yet, in an order, each as often as told. What is not answered
   * by 200 stays for the next time.
   *
   * @returns the answers' statuses; 0 where there was none
   */
  async deliver({ times = 1, isReversed = false } = {}): Promise<number[]> {
    const batch = this.news.splice(0);
    const ordered = isReversed ? batch.toReversed() : batch;
    const sent = await Promise.all(
      ordered.map(async (each) => {
        const { hookUrl } = this.shop(each.shopId) ?? {};
        if (!hookUrl) return [];
        const told = { type: 'notification', event: each.event, object: each.object };
        const statuses = await Promise.all(
          Array.from({ length: times }, () => this.notify(hookUrl, told)),
        );
        if (!statuses.includes(200)) this.news.push(each);
        return statuses;
      }),
    );
    return sent.flat();
  }

  /** Sends a notification of any content. @returns the answer's status, 0 where there was none */
  async notify(hookUrl: string, body: object): Promise<number> {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(HOOK_LIMIT_MS);
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
    return await fetch(hookUrl, init).then(
      ({ status }) => status,
      () => 0,
    );
  }

  readonly page: AcquirerPage<PageOrder & { paymentId: string }> = {
    acquirer: 'YooKassa',
    orderOf: ({ pathname }) => {
      const paymentId = pathname.slice('/pay/'.length);
      const payment = this.payments.get(paymentId);
      if (!payment) return null;
      const { metadata, amountMinor, returnUrl } = payment;
      const id = metadata.invoice_id ?? paymentId;
      return { id, paymentId, amountMinor, currency: 'RUB', returnUrl };
    },
    press: async ({ paymentId }, press) => {
      if (press === 'leave') return null;
      const { status: before } = this.payment(null, paymentId);
      if (before !== 'pending') return `the payment is ${before}.`;
      if (press === 'pay') this.pay(paymentId);
      else this.decline(paymentId);
      await this.deliver();
      const isGivenBack = press === 'pay' && this.payment(null, paymentId).status === 'canceled';
      return isGivenBack ? 'it gave the money back.' : null;
    },
    cabinet: {
      isPaid: ({ paymentId }) => {
        const { status, refundedMinor } = this.payment(null, paymentId);
        return status === 'succeeded' && refundedMinor === 0n;
      },
      refund: async ({ paymentId, amountMinor }) => {
        const shop = this.shop(this.payment(null, paymentId).shopId);
        if (!shop) return 'there is no such shop.';
        const amount = { value: toDecimalString(amountMinor, 'RUB'), currency: 'RUB' };
        this.refund(shop, { payment_id: paymentId, amount });
        await this.deliver();
        return null;
      },
    },
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    if (url.pathname.startsWith('/pay/')) return answerPage(this.page, request, response);
    const [, resource = '', id = '', verb = ''] =
      /^\/v3\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    const place = [resource, id && ':id', verb].filter(Boolean).join('/');
    const operation = `${request.method} /${place}`;
    this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1);
    const fault = this.faults.get(operation)?.shift();
    if (fault === 'cut before') return void request.socket.destroy();
    if (fault === 'too many') return send(response, 429, error('too_many_requests', ''));
    const body = request.method === 'POST' ? await text(request) : '';
    const shop = this.shopOf(request);
    const key = request.headers['idempotence-key']?.toString() ?? null;
    const asked = { operation, id, url, body, key };
    const [status, answer] = shop
      ? this.once(shop, asked)
      : [401, error('invalid_credentials', 'Error in shopId or secret key')];
    if (fault === 'slow') await wait(this.slowMs);
    if (fault === 'cut after') return void request.socket.destroy();
    if (fault === '500') return send(response, 500, error('internal_server_error', ''));
    if (fault === 'processing') return send(response, 202, { type: 'processing', retry_after: 50 });
    send(response, status, answer);
  }

  private shop(id: string): Shop | null {
    const hook = this.hooks.get(id);
    const connected = hook && { ...NEW_SHOP, id, secretKey: hook.secret, hookUrl: hook.hookUrl };
    return this.shops.get(id) ?? connected ?? null;
  }

  private shopOf({ headers }: IncomingMessage): Shop | null {
    const [, login = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
    const [id = '', secretKey = ''] = Buffer.from(login, 'base64').toString().split(':');
    const shop = this.shop(id);
    return shop?.secretKey === secretKey ? shop : null;
  }

  /** A repeat under the same key gets the first answer; another body under it is refused. */
  private once(shop: Shop, asked: Asked): [number, object] {
    const { operation, id, body, key } = asked;
    if (!operation.startsWith('POST')) return this.carried(shop, asked);
    if (!key || key.length > 64) {
      const why = key ? 'Idempotence key is too long' : 'Idempotence key is missing';
      return [400, error('invalid_request', why, 'Idempotence-Key')];
    }
    const call = `${operation} ${id} ${body}`;
    const nowMs = this.now().getTime();
    const kept = this.keys.get(`${shop.id} ${key}`);
    if (kept && nowMs - kept.atMs < KEY_LIFE_MS) {
      if (kept.call === call) return [kept.status, kept.answer];
      return [400, error('invalid_request', 'Idempotence key duplicated', 'Idempotence-Key')];
    }
    const [status, answer] = this.carried(shop, asked);
    this.keys.set(`${shop.id} ${key}`, { call, atMs: nowMs, status, answer });
    this.posts.push({ operation, key, body });
    return [status, answer];
  }

  private carried(shop: Shop, asked: Asked): [number, object] {
    try {
      return [200, this.carry(shop, asked)];
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      const { status, code, message, parameter } = fault;
      return [status, error(code, message, parameter)];
    }
  }

  private carry(shop: Shop, { operation, id, url, body }: Asked): object {
    const given = () => (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
    const shown = (payment: Payment) =>
      paymentObject(payment, { pageUrl: this.url, isTest: shop.isTest });
    switch (operation) {
      case 'GET /me':
        return {
          account_id: shop.id,
          status: shop.isEnabled ? 'enabled' : 'disabled',
          test: shop.isTest,
          fiscalization_enabled: shop.sendsReceipts,
          ...(shop.sendsReceipts && { fiscalization: { enabled: true, provider: 'avanpost' } }),
          payment_methods: ['bank_card', 'yoo_money'],
        };
      case 'POST /payments':
        return shown(this.create(shop, given()));
      case 'GET /payments/:id':
        return shown(this.payment(shop.id, id));
      case 'POST /payments/:id/capture':
        return shown(this.capture(shop, id, given()));
      case 'POST /payments/:id/cancel':
        return shown(this.cancel(shop, id));
      case 'GET /payments': {
        const ids = [...this.payments.keys()];
        const mine = ids.map((each) => this.payment(null, each));
        return listed(mine.filter(isOf(shop, url.searchParams)), url.searchParams, shown);
      }
      case 'POST /refunds':
        return refundObject(this.refund(shop, given()));
      case 'GET /refunds/:id':
        return refundObject(this.refundOf(shop.id, id));
      case 'GET /refunds': {
        const mine = [...this.refunds.values()].filter(isOf(shop, url.searchParams));
        return listed(mine, url.searchParams, refundObject);
      }
      default:
        throw new Refused(404, 'not_found', 'Not found');
    }
  }
}

type Asked = { operation: string; id: string; url: URL; body: string; key: string | null };

/** Whether a payment or a refund is a shop's, and what the query asks for. */
function isOf(shop: Shop, query: URLSearchParams): (each: Payment | Refund) => boolean {
  const time = (name: string, preset: number) => Date.parse(query.get(name) ?? '') || preset;
  const fromMs = time('created_at.gte', 0);
  const toMs = time('created_at.lt', Number.POSITIVE_INFINITY);
  const status = query.get('status');
  const paymentId = query.get('payment_id');
  return (each) =>
    each.shopId === shop.id &&
    each.createdAtMs >= fromMs &&
    each.createdAtMs < toMs &&
    (status === null || each.status === status) &&
    (paymentId === null || ('paymentId' in each && each.paymentId === paymentId));
}

/** A page of a list, the newest first; its cursor is the last id. */
function listed<Each extends Payment | Refund>(
  all: Each[],
  query: URLSearchParams,
  shown: (each: Each) => object,
): object {
  const limit = Number(query.get('limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) {
    throw new Refused(400, 'invalid_request', 'Incorrect limit', 'limit');
  }
  const newest = all.toReversed();
  const cursor = query.get('cursor');
  const from = cursor === null ? 0 : newest.findIndex(({ id }) => id === cursor) + 1;
  const items = newest.slice(from, from + limit);
  const isLast = from + limit >= newest.length;
  const next = isLast ? {} : { next_cursor: items.at(-1)?.id };
  return { type: 'list', items: items.map(shown), ...next };
}

function error(code: string, description: string, parameter?: string): object {
  return { type: 'error', id: randomUUID(), code, description, ...(parameter && { parameter }) };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
