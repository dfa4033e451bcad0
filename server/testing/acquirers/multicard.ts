import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { StandInPayment, StandInRefund } from './books.ts';
import { LocalServer } from './local-server.ts';
import { type AcquirerPage, answerPage, type PageOrder } from './page.ts';

type Line = { qty: number; price: number; total: number; mxik: string; package_code: string };
type Wanted = {
  store_id: number | string;
  amount: number;
  invoice_id: string;
  callback_url: string;
  return_url: string;
  ofd: Line[];
};
type Payment = {
  uuid: string;
  status: string;
  payment_amount: number;
  total_amount: number;
  refund_time?: string;
};
type Part = { refund_amount: number; ofd: Line[] };
type Invoice = Wanted & { uuid: string; payment: Payment | null; isWithdrawn: boolean };

/** What the next call of an operation meets. A slow one waits in `waiting`. */
export type Fault = 'cut before' | 'cut after' | '500' | 'slow';

const STATES: Record<string, StandInPayment['state']> = {
  billing: 'held',
  success: 'succeeded',
};

/**
 * Multicard as far as the gateway needs it: invoices with a page, payments that its callback decides
 * over, and returns of the whole or of parts. It keeps books of its own, which tests hold against the gateway's.
 */
export class MulticardStandIn {
  readonly invoices = new Map<string, Invoice>();
  /** What the next calls of an operation meet, by its path without ids: `POST /payment/invoice`. */
  readonly faults = new Map<string, Fault[]>();
  /** How often each operation was carried out. */
  readonly counts = new Map<string, number>();
  /** What went back of each payment by its uuid, in tiyin, in order. */
  readonly returned = new Map<string, number[]>();
  /** What the gateway answered to callbacks, in the order of its answers. */
  readonly answers: { status: number; text: string }[] = [];
  /** What a payment is made of that differs from what was asked, for tests of that. */
  paidAmount: number | null = null;
  secret: string;
  /** Goes on with each of the slow calls that wait. */
  readonly waiting: (() => void)[] = [];
  private readonly server: LocalServer;

  constructor(secret: string) {
    this.secret = secret;
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

  /** The payments, each begun by a buyer at the page. */
  books(): StandInPayment[] {
    return [...this.invoices.values()].flatMap(({ invoice_id: invoiceId, payment }) => {
      if (!payment) return [];
      const { uuid: id, payment_amount: amount, status } = payment;
      return [{ id, invoiceId, amountMinor: BigInt(amount), state: STATES[status] ?? 'ended' }];
    });
  }

  /** What went back, in order. */
  refundBooks(): StandInRefund[] {
    return [...this.returned].flatMap(([paymentId, amounts]) =>
      amounts.map((amount) => {
        const state = 'succeeded' as const;
        return { id: null, paymentId, ourId: null, amountMinor: BigInt(amount), state };
      }),
    );
  }

  /** The invoices there of one of ours. */
  of(invoiceId: string): Invoice[] {
    return [...this.invoices.values()].filter((each) => each.invoice_id === invoiceId);
  }

  /**
   * The buyer pays at the page: the callback is sent, and its answer decides.
   *
   * @returns what became of the payment: `success`, `revert`, or `billing` while it is frozen
   */
  async pay(uuid: string): Promise<string> {
    const invoice = this.invoices.get(uuid);
    if (!invoice || invoice.isWithdrawn) throw new Error('there is no such page');
    const amount = this.paidAmount ?? invoice.amount;
    invoice.payment ??= {
      uuid,
      status: 'billing',
      payment_amount: amount,
      total_amount: amount + 100,
    };
    return await this.callBack(uuid);
  }

  /** The buyer's bank refuses at the page: no callback is sent of that. */
  decline(uuid: string): void {
    const invoice = this.invoices.get(uuid);
    if (!invoice || invoice.isWithdrawn || invoice.payment)
      throw new Error('it cannot be declined');
    const { amount } = invoice;
    invoice.payment = { uuid, status: 'error', payment_amount: amount, total_amount: amount };
  }

  /** Sends the callback, as often as the test wants it repeated. */
  async callBack(uuid: string, changed: Record<string, unknown> = {}): Promise<string> {
    const invoice = this.invoices.get(uuid);
    const payment = invoice?.payment;
    if (!invoice || !payment) throw new Error('there is no such payment');
    const { store_id, invoice_id, amount } = invoice;
    const sign = createHash('md5')
      .update(`${store_id}${invoice_id}${amount}${this.secret}`)
      .digest('hex');
    const body = { store_id, invoice_id, amount, uuid, ps: 'uzcard', sign, ...changed };
    const { status, text } = await this.tell(invoice.callback_url, JSON.stringify(body));
    if (payment.status !== 'billing') return payment.status;
    // Only a time-out and 500 freeze the money; anything else but `success: true` returns it.
    if (status !== 500) payment.status = isSuccess(text) ? 'success' : 'revert';
    return payment.status;
  }

  /** Posts a callback; no answer is as good as 500. */
  private async tell(url: string, body: string): Promise<{ status: number; text: string }> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => ({ status: 500, text: '' }));
    this.answers.push(answer);
    return answer;
  }

  readonly page: AcquirerPage<PageOrder & { uuid: string }> = {
    acquirer: 'Multicard',
    orderOf: ({ pathname }) => {
      const uuid = pathname.slice('/pay/'.length);
      const invoice = this.invoices.get(uuid);
      if (!invoice || invoice.isWithdrawn) return null;
      const { invoice_id: id, amount, return_url: returnUrl } = invoice;
      return { id, uuid, amountMinor: BigInt(amount), returnUrl };
    },
    press: async ({ uuid }, press) => {
      if (press === 'leave') return null;
      if (press === 'decline') {
        this.decline(uuid);
        return null;
      }
      const status = await this.pay(uuid);
      if (status === 'success') return null;
      if (status !== 'billing') return `the payment stands at ${status}, and no money is kept.`;
      throw new Error('it has not answered, and the money is frozen. Press Pay to ask once more.');
    },
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const [, uuid = ''] =
      /^\/(?:payment\/invoice|payment)\/([0-9a-f-]{36})(?:\/|$)/.exec(path) ?? [];
    if (path.startsWith('/pay/')) return answerPage(this.page, request, response);
    const operation = `${request.method} ${uuid === '' ? path : path.replace(`/${uuid}`, '')}`;
    const fault = this.faults.get(operation)?.shift();
    if (fault === 'cut before') return void request.socket.destroy();
    if (fault === '500') return send(response, 500, {});
    if (fault === 'slow') await new Promise<void>((resolve) => this.waiting.push(resolve));
    const hasBody = Number(request.headers['content-length'] ?? 0) > 0;
    const body = hasBody ? ((await json(request)) as object) : {};
    const [status, answer] = this.carryOut(operation, uuid, body);
    this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1);
    if (fault === 'cut after') return void request.socket.destroy();
    send(response, status, answer);
  }

  private carryOut(operation: string, uuid: string, body: object): [number, object] {
    const invoice = this.invoices.get(uuid);
    switch (operation) {
      case 'POST /auth': {
        const { secret } = body as { secret?: string };
        if (secret !== this.secret) return refuse(400, 'ERROR_FIELDS');
        return [
          200,
          { token: `token-${this.secret}`, role: 'shop', expiry: '2099-01-01 00:00:00' },
        ];
      }
      case 'POST /payment/invoice':
        return this.create(body as Wanted);
      case 'GET /payment/invoice':
        return invoice ? grant(invoice) : refuse(404, 'ERROR_NOT_FOUND');
      case 'GET /payment':
        return invoice?.payment ? grant(invoice.payment) : refuse(404, 'ERROR_NOT_FOUND');
      case 'DELETE /payment/invoice':
        if (!invoice) return refuse(404, 'ERROR_NOT_FOUND');
        if (invoice.payment) return refuse(400, 'ERROR_TRANS_NOT_READY');
        invoice.isWithdrawn = true;
        return grant({});
      case 'DELETE /payment':
        if (!invoice?.payment) return refuse(404, 'ERROR_NOT_FOUND');
        if (invoice.payment.status === 'success') this.giveBack(invoice.payment);
        invoice.payment.status = 'revert';
        return grant(invoice.payment);
      case 'DELETE /payment/partial':
        if (!invoice?.payment) return refuse(404, 'ERROR_NOT_FOUND');
        return this.returnPart(invoice.payment, body as Part);
      default:
        return refuse(404, 'ERROR_NOT_FOUND');
    }
  }

  private giveBack(payment: Payment, amount = payment.payment_amount): void {
    this.returned.set(payment.uuid, [...(this.returned.get(payment.uuid) ?? []), amount]);
    payment.refund_time = new Date().toISOString();
  }

  /** The lines of the new receipt add up to what remains. */
  private returnPart(payment: Payment, { refund_amount: amount, ofd }: Part): [number, object] {
    const rest = payment.payment_amount - amount;
    const sum = ofd.reduce((total, { total: line }) => total + line, 0);
    if (payment.status !== 'success') return refuse(400, 'ERROR_TRANS_NOT_READY');
    if (!(amount > 0) || rest <= 0 || sum !== rest) return refuse(400, 'ERROR_FIELDS');
    this.giveBack(payment, amount);
    payment.payment_amount = rest;
    return grant(payment);
  }

  private create(wanted: Wanted): [number, object] {
    const sum = wanted.ofd.reduce((total, { total: line }) => total + line, 0);
    const isWhole = Number.isInteger(wanted.amount) && wanted.amount > 0 && sum === wanted.amount;
    const hasCodes = wanted.ofd.every(({ mxik, package_code }) => mxik && package_code);
    if (!isWhole || !hasCodes) return refuse(400, 'ERROR_FIELDS');
    const uuid = randomUUID();
    this.invoices.set(uuid, { ...wanted, uuid, payment: null, isWithdrawn: false });
    return grant({ ...wanted, uuid, checkout_url: `${this.url}/pay/${uuid}` });
  }
}

function isSuccess(text: string): boolean {
  try {
    return JSON.parse(text).success === true;
  } catch {
    return false;
  }
}

const grant = (data: object): [number, object] => [200, { success: true, data }];

const refuse = (status: number, code: string): [number, object] => [
  status,
  { success: false, error: { code, details: code } },
];

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
