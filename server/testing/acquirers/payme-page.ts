import type { StandInPayment, StandInRefund } from './books.ts';
import { callHook, type Faults, type Hooks, takeFrom } from './hook-call.ts';
import type { AcquirerPage, PageOrder, Press } from './page.ts';
import { PaymeCalls, type PaymeOrder } from './payme-calls.ts';

type PaymePageOrder = PageOrder & PaymeOrder & { merchantId: string };

/** The link's parameters stand in its path, in base64 (Payme, "otpravka cheka po metodu GET"). */
function paymeOrderOf({ pathname }: URL): PaymePageOrder | null {
  const text = Buffer.from(pathname.slice(1), 'base64').toString();
  const parameters = text.split(';').map((each) => {
    const cut = each.indexOf('=');
    return [each.slice(0, cut), each.slice(cut + 1)] as const;
  });
  const { m: merchantId, a, c: returnUrl } = Object.fromEntries(parameters);
  const [name, id] = parameters.find(([each]) => each.startsWith('ac.')) ?? [];
  if (!merchantId || !name || !id || !returnUrl || !/^\d{1,16}$/.test(a ?? '')) return null;
  const amountMinor = BigInt(a ?? 0);
  const asked = { field: name.slice('ac.'.length), account: id, amount: Number(amountMinor) };
  return { ...asked, id, amountMinor, returnUrl, merchantId };
}

/** The call that comes next; `wait` is for the buyer, and the last three are ends. */
type Stage =
  | 'check'
  | 'create'
  | 'wait'
  | 'perform'
  | 'cancel'
  | 'performed'
  | 'canceled'
  | 'givenBack';

type Transaction = {
  id: string;
  timeMs: number;
  order: PaymePageOrder;
  stage: Stage;
  /** Why the gateway did not want it. */
  refusal: string | null;
};

const STATES: Record<Stage, StandInPayment['state']> = {
  check: 'open',
  create: 'open',
  wait: 'held',
  perform: 'held',
  cancel: 'held',
  performed: 'succeeded',
  canceled: 'ended',
  givenBack: 'ended',
};

/** What a transaction comes to by an answer to its call. */
const NEXT = {
  check: { method: 'CheckPerformTransaction', granted: 'create', refused: 'canceled' },
  create: { method: 'CreateTransaction', granted: 'wait', refused: 'canceled' },
  // A Perform that is refused gives the buyer's money back, and is cancelled (Payme, "protokol").
  perform: { method: 'PerformTransaction', granted: 'performed', refused: 'cancel' },
  cancel: { method: 'CancelTransaction', granted: 'canceled', refused: 'canceled' },
  giveBack: { method: 'CancelTransaction', granted: 'givenBack', refused: 'performed' },
} as const;

const REFUND_REASON = 5;

const isOver = (stage: Stage): stage is 'performed' | 'canceled' | 'givenBack' =>
  stage === 'performed' || stage === 'canceled' || stage === 'givenBack';

/** A fault of the gateway's own tells Payme nothing. */
const OWN_FAULT = -32400;

/**
 * Payme's page and its books. What was left goes on when the buyer comes again, and so does a call
 * that was not answered, under the same id.
 */
export class PaymeStandIn {
  /** The faults of the next calls, by method. */
  readonly faults: Faults = new Map();
  private readonly hooks: Hooks;
  private readonly transactions: Transaction[] = [];
  /** What a buyer left, or was not answered. */
  private readonly left: Transaction[] = [];

  constructor(hooks: Hooks) {
    this.hooks = hooks;
  }

  readonly page: AcquirerPage<PaymePageOrder> = {
    acquirer: 'Payme',
    orderOf: paymeOrderOf,
    press: (order, press) => this.press(order, press),
    cabinet: {
      isPaid: (order) => this.paid(order) !== undefined,
      refund: (order) => this.refund(order),
    },
  };

  books(): StandInPayment[] {
    return this.transactions.map(({ id, order, stage }) => ({
      id,
      invoiceId: order.id,
      amountMinor: order.amountMinor,
      state: STATES[stage],
    }));
  }

  /** The transactions that the merchant gave back, each as a whole. */
  refundBooks(): StandInRefund[] {
    const back = this.transactions.filter(({ stage }) => stage === 'givenBack');
    return back.map(({ id, order: { amountMinor } }) => {
      return { id, paymentId: id, ourId: null, amountMinor, state: 'succeeded' };
    });
  }

  /**
   * The merchant gives a performed transaction back in the cabinet, or presses there once more.
   *
   * @throws where the gateway did not answer, or did not want it
   */
  async giveBack(id: string): Promise<void> {
    const transaction = this.transactions.find((each) => each.id === id);
    if (!transaction) throw new Error(`there is no transaction ${id}`);
    await this.step(transaction, 'giveBack');
    if (transaction.stage !== 'givenBack') throw new Error(String(transaction.refusal));
  }

  private async press(order: PaymePageOrder, press: Press): Promise<string | null> {
    const { merchantId } = order;
    if (!this.hooks.has(merchantId)) return `there is no kassa ${merchantId}.`;
    const transaction = takeFrom(this.left, ({ order: { id } }) => id === order.id);
    return await this.goOn(transaction ?? this.begin(order), press);
  }

  private paid({ id }: PaymePageOrder): Transaction | undefined {
    return this.transactions.find(({ order, stage }) => order.id === id && stage === 'performed');
  }

  /** A refund is the cancellation of what was performed (Payme, "CancelTransaction"). */
  private async refund(order: PaymePageOrder): Promise<string | null> {
    const transaction = this.paid(order);
    if (transaction) await this.step(transaction, 'giveBack');
    return transaction?.refusal ?? null;
  }

  /** A second tab meanwhile is another transaction. */
  private async goOn(transaction: Transaction, press: Press): Promise<string | null> {
    while (!isOver(transaction.stage)) {
      if (transaction.stage === 'wait' && press === 'leave') {
        this.left.push(transaction);
        return null;
      }
      if (transaction.stage === 'wait') transaction.stage = press === 'pay' ? 'perform' : 'cancel';
      await this.step(transaction, transaction.stage).catch((error: unknown) => {
        this.left.push(transaction);
        throw error;
      });
    }
    return transaction.refusal;
  }

  private begin(order: PaymePageOrder): Transaction {
    const id = crypto.randomUUID().replaceAll('-', '').slice(0, 24);
    const begun: Transaction = { id, timeMs: Date.now(), order, stage: 'check', refusal: null };
    this.transactions.push(begun);
    return begun;
  }

  /** Makes the next call of a transaction. @throws where it is not answered */
  private async step(transaction: Transaction, stage: keyof typeof NEXT): Promise<void> {
    const { method, granted, refused } = NEXT[stage];
    const { id, timeMs, order } = transaction;
    const { hookUrl, secret } = this.hooks.get(order.merchantId) ?? { hookUrl: '', secret: '' };
    const send = (body: string, authorization: string) => {
      const headers = { 'content-type': 'application/json', authorization };
      return callHook(hookUrl, { body, headers, fault: this.faults.get(method)?.shift() });
    };
    const calls = new PaymeCalls(send, { key: secret, clock: () => new Date() });
    const params = {
      check: calls.check(order),
      create: calls.create(id, order, timeMs),
      perform: { id },
      cancel: { id, reason: transaction.refusal === null ? 2 : 3 },
      giveBack: { id, reason: REFUND_REASON },
    };
    const { error } = await calls.call(method, params[stage]);
    if (error?.code === OWN_FAULT) throw new Error(`the gateway has a fault: ${error.message.en}.`);
    transaction.refusal ??= error ? `${error.message.en} (${error.code})` : null;
    transaction.stage = error ? refused : granted;
  }
}
