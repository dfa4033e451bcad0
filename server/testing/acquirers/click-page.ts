import { fromDecimalString } from '../../lib/money.ts';
import type { StandInPayment, StandInRefund } from './books.ts';
import { type ClickAnswer, ClickDriver, type ClickPayment } from './click.ts';
import { callHook, type Faults, type Hooks, takeFrom } from './hook-call.ts';
import type { AcquirerPage, PageOrder, Press } from './page.ts';

type ClickPageOrder = PageOrder & { serviceId: string; amount: string };

function clickOrderOf({ searchParams: query }: URL): ClickPageOrder | null {
  const textOf = (name: string) => query.get(name) ?? '';
  const [id, serviceId, amount] = ['transaction_param', 'service_id', 'amount'].map(textOf);
  const amountMinor = fromDecimalString(amount ?? '', 'UZS');
  const returnUrl = textOf('return_url');
  if (!id || !serviceId || !amount || amountMinor === null || !returnUrl) return null;
  return { id, serviceId, amount, amountMinor, returnUrl };
}

/** Its numbers are others each time that a stand-in is started, as an account outlives it. */
function clickNumbers(): () => ClickPayment {
  let last = Date.now() * 1_000;
  return () => {
    last += 1;
    return { transId: String(last), paydocId: String(last + 1_000_000_000_000_000) };
  };
}

/** The call that comes next; `wait` is for the buyer, and the last three are ends. */
type Stage = 'prepare' | 'wait' | 'pay' | 'decline' | 'paid' | 'failed' | 'reversed';

type Payment = ClickPayment & {
  order: ClickPageOrder;
  stage: Stage;
  prepareId: string;
  /** Why the gateway did not want it. */
  refusal: string | null;
};

const STATES: Record<Stage, StandInPayment['state']> = {
  prepare: 'open',
  wait: 'held',
  pay: 'held',
  decline: 'held',
  paid: 'succeeded',
  failed: 'ended',
  reversed: 'ended',
};

/** What the Merchant API says: 2 is paid, negative is not (Click, "Merchant API"). */
const STATUSES: Partial<Record<Stage, number>> = { paid: 2, failed: -1, reversed: -99 };

/** The gateway could not change its data: Click comes again. */
const OWN_FAULT = -7;
const ALREADY_PAID = -4;
const CANCELED = -9;
const GIVEN_UP = '-5017';

/**
 * Click's page, its books, and the Merchant API beside it: status and reversal of a payment. What
 * was left goes on when the buyer comes again, and so does a call that was not answered.
 */
export class ClickStandIn {
  /** The faults of the next calls, by call: `Prepare`, `Complete`, `status` or `reversal`. */
  readonly faults: Faults = new Map();
  /** Whether Click keeps money though its Complete is refused, which it has to be asked about. */
  keepsRefused = false;
  private readonly hooks: Hooks;
  private readonly payments: Payment[] = [];
  /** What a buyer left, or was not answered. */
  private readonly left: Payment[] = [];
  private readonly newPayment = clickNumbers();

  constructor(hooks: Hooks) {
    this.hooks = hooks;
  }

  readonly page: AcquirerPage<ClickPageOrder> = {
    acquirer: 'Click',
    orderOf: clickOrderOf,
    press: (order, press) => this.press(order, press),
    cabinet: {
      isPaid: (order) => this.paid(order) !== undefined,
      refund: (order) => this.refund(order),
    },
    answerCall: (method, url) => this.answerCall(method, url),
  };

  books(): StandInPayment[] {
    return this.payments.map(({ paydocId, order, stage }) => ({
      id: paydocId,
      invoiceId: order.id,
      amountMinor: order.amountMinor,
      state: STATES[stage],
    }));
  }

  /** The payments that were given back, each as a whole. */
  refundBooks(): StandInRefund[] {
    const back = this.payments.filter(({ stage }) => stage === 'reversed');
    return back.map(({ paydocId: paymentId, order: { amountMinor } }) => {
      return { id: paymentId, paymentId, ourId: null, amountMinor, state: 'succeeded' };
    });
  }

  private async press(order: ClickPageOrder, press: Press): Promise<string | null> {
    const { serviceId } = order;
    if (!this.hooks.has(serviceId)) return `there is no service ${serviceId}.`;
    const payment = takeFrom(this.left, ({ order: { id } }) => id === order.id);
    return await this.goOn(payment ?? this.begin(order), press);
  }

  private paid({ id }: ClickPageOrder): Payment | undefined {
    return this.payments.find(({ order, stage }) => order.id === id && stage === 'paid');
  }

  /** What was reversed is told by a Complete that gives it up, which is acknowledged by −9. */
  private async refund(order: ClickPageOrder): Promise<string | null> {
    const payment = this.paid(order);
    if (!payment) return null;
    payment.stage = 'reversed';
    const given = { prepareId: payment.prepareId, error: GIVEN_UP };
    const answer = await this.driverOf(payment, 'Complete').complete(
      payment,
      orderOf(payment),
      given,
    );
    return answer.error === CANCELED ? null : refusalIn(answer);
  }

  /** A second tab meanwhile is another payment. */
  private async goOn(payment: Payment, press: Press): Promise<string | null> {
    try {
      for (;;) {
        const { stage } = payment;
        if (stage === 'prepare') await this.prepare(payment);
        else if (stage === 'pay' || stage === 'decline') await this.complete(payment, stage);
        else if (stage !== 'wait') return payment.refusal;
        else if (press === 'leave') break;
        else payment.stage = press;
      }
    } catch (error) {
      this.left.push(payment);
      throw error;
    }
    this.left.push(payment);
    return null;
  }

  private begin(order: ClickPageOrder): Payment {
    const numbers = this.newPayment();
    const begun: Payment = { ...numbers, order, stage: 'prepare', prepareId: '', refusal: null };
    this.payments.push(begun);
    return begun;
  }

  private async prepare(payment: Payment): Promise<void> {
    const answer = await this.driverOf(payment, 'Prepare').prepare(payment, orderOf(payment));
    const refusal = refusalIn(answer);
    payment.prepareId = String(answer.merchant_prepare_id ?? '');
    payment.refusal = refusal;
    payment.stage = refusal === null ? 'wait' : 'failed';
  }

  private async complete(payment: Payment, stage: 'pay' | 'decline'): Promise<void> {
    const { prepareId } = payment;
    const given = { prepareId, error: stage === 'pay' ? '0' : GIVEN_UP };
    const driver = this.driverOf(payment, 'Complete');
    const answer = await driver.complete(payment, orderOf(payment), given);
    const refusal = refusalIn(answer);
    if (stage === 'decline') {
      // A refusal is acknowledged by −9.
      payment.refusal = answer.error === CANCELED ? null : refusal;
      payment.stage = 'failed';
      return;
    }
    const isKept = refusal === null || answer.error === ALREADY_PAID || this.keepsRefused;
    payment.refusal = answer.error === ALREADY_PAID ? null : refusal;
    payment.stage = isKept ? 'paid' : 'failed';
  }

  private driverOf({ order: { serviceId } }: Payment, call: 'Prepare' | 'Complete'): ClickDriver {
    const { hookUrl, secret } = this.hooks.get(serviceId) ?? { hookUrl: '', secret: '' };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (body: string) => {
      const fault = this.faults.get(call)?.shift();
      return callHook(hookUrl, { body, headers, fault });
    };
    return new ClickDriver(send, { serviceId, secretKey: secret });
  }

  /** @throws where a fault cuts the call */
  private answerCall(method: string, { pathname }: URL): object | null {
    const [, operation, number = ''] =
      /\/payment\/(status|reversal)\/\d+\/(\d+)$/.exec(pathname) ?? [];
    if (operation === undefined) return null;
    const fault = this.faults.get(operation)?.shift();
    if (fault === 'cut before') throw new Error(fault);
    const payment = this.payments.find(({ paydocId }) => paydocId === number);
    if (!payment) return { error_code: -16, error_note: 'Payment not found' };
    if (operation === 'reversal' && method === 'DELETE') payment.stage = 'reversed';
    if (fault !== undefined) throw new Error(fault);
    return {
      error_code: 0,
      error_note: 'Success',
      payment_id: Number(number),
      payment_status: STATUSES[payment.stage] ?? 0,
    };
  }
}

const orderOf = ({ order: { id, amount } }: Payment) => ({ invoiceId: id, amount });

/** Why the gateway did not want a call, or null. @throws where the answer tells nothing */
function refusalIn({ error, error_note }: ClickAnswer): string | null {
  if (error === OWN_FAULT) throw new Error(`the gateway has a fault: ${error_note}.`);
  return error === 0 ? null : `${error_note} (${error})`;
}
