import { fromDecimalString } from '../../lib/money.ts';
import { type ClickAnswer, ClickDriver, type ClickPayment } from './click.ts';
import { MulticardStandIn } from './multicard.ts';
import { type AcquirerPage, type PageOrder, type Press, type Served, servePage } from './page.ts';
import { type PaymeAnswer, PaymeCalls, type PaymeOrder } from './payme-calls.ts';

/** The hook of a merchant's account and what opens it, by the merchant's id at the acquirer. */
export type Hooks = ReadonlyMap<string, { hookUrl: string; secret: string }>;

/** A hook is answered sooner, or the page says that it is not. */
const HOOK_LIMIT_MS = 10_000;

async function post(url: string, body: string, headers: Record<string, string>): Promise<string> {
  const signal = AbortSignal.timeout(HOOK_LIMIT_MS);
  let response: Response;
  try {
    response = await fetch(url, { method: 'POST', body, headers, signal });
  } catch (error) {
    throw new Error(`nothing answers at ${url}.`, { cause: error });
  }
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
  return await response.text();
}

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

/** Payme's page. What was left there goes on when the buyer comes again. */
function paymePage(hooks: Hooks): AcquirerPage<PaymePageOrder> {
  const begun = new Map<string, string>();
  const wanted = ({ error }: PaymeAnswer) => error && `${error.message.en} (${error.code})`;
  return {
    acquirer: 'Payme',
    orderOf: paymeOrderOf,
    async press(order, press) {
      const hook = hooks.get(order.merchantId);
      if (!hook) return `there is no kassa ${order.merchantId}.`;
      const send = async (body: string, authorization: string | null) => {
        const headers = { 'content-type': 'application/json', authorization: authorization ?? '' };
        return JSON.parse(await post(hook.hookUrl, body, headers)) as PaymeAnswer;
      };
      const calls = new PaymeCalls(send, { key: hook.secret, clock: () => new Date() });
      let id = begun.get(order.id);
      if (!id) {
        id = calls.newId();
        const fault =
          wanted(await calls.call('CheckPerformTransaction', calls.check(order))) ??
          wanted(await calls.call('CreateTransaction', calls.create(id, order)));
        if (fault) return fault;
        begun.set(order.id, id);
      }
      if (press === 'leave') return null;
      const ended =
        press === 'pay'
          ? await calls.call('PerformTransaction', { id })
          : await calls.call('CancelTransaction', { id, reason: 2 });
      begun.delete(order.id);
      return wanted(ended) ?? null;
    },
  };
}

type ClickPageOrder = PageOrder & { serviceId: string; amount: string };
type Prepared = ClickPayment & { prepareId: string };

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

/** Click's page and the Merchant API beside it: status and reversal of a payment. */
function clickPage(hooks: Hooks): AcquirerPage<ClickPageOrder> {
  const prepared = new Map<string, Prepared>();
  /** 2 is paid, negative is not (Click, "Merchant API"). */
  const books = new Map<string, number>();
  const newPayment = clickNumbers();
  const wanted = ({ error, error_note }: ClickAnswer) =>
    error === 0 ? null : `${error_note} (${error})`;

  async function prepare(driver: ClickDriver, order: { invoiceId: string; amount: string }) {
    const payment = newPayment();
    const answer = await driver.prepare(payment, order);
    const fault = wanted(answer);
    if (fault !== null) return fault;
    books.set(payment.paydocId, 0);
    return { ...payment, prepareId: String(answer.merchant_prepare_id) };
  }

  return {
    acquirer: 'Click',
    orderOf: clickOrderOf,
    async press({ id: invoiceId, serviceId, amount }, press: Press) {
      const hook = hooks.get(serviceId);
      if (!hook) return `there is no service ${serviceId}.`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const send = (body: string) => post(hook.hookUrl, body, headers);
      const driver = new ClickDriver(send, { serviceId, secretKey: hook.secret });
      const order = { invoiceId, amount };
      const made = prepared.get(invoiceId) ?? (await prepare(driver, order));
      if (typeof made === 'string') return made;
      prepared.set(invoiceId, made);
      if (press === 'leave') return null;
      const error = press === 'pay' ? '0' : '-5017';
      const answer = await driver.complete(made, order, { prepareId: made.prepareId, error });
      prepared.delete(invoiceId);
      const fault = wanted(answer);
      books.set(made.paydocId, press === 'pay' && fault === null ? 2 : -1);
      // A refusal is acknowledged by −9.
      return press === 'decline' && answer.error === -9 ? null : fault;
    },
    answerCall(method, { pathname }) {
      const [, operation, number = ''] =
        /\/payment\/(status|reversal)\/\d+\/(\d+)$/.exec(pathname) ?? [];
      if (operation === undefined) return null;
      const status = books.get(number);
      if (status === undefined) return { error_code: -16, error_note: 'Payment not found' };
      if (operation === 'reversal' && method === 'DELETE') books.set(number, -99);
      return {
        error_code: 0,
        error_note: 'Success',
        payment_id: Number(number),
        payment_status: status,
      };
    },
  };
}

/** On three ports of this machine, 0 for any that is free. */
export type StandInPorts = { payme: number; click: number; multicard: number };

/** The settings that have a gateway send its buyers to stand-ins on these ports. */
export function standInSettings({ payme, click, multicard }: StandInPorts): Record<string, string> {
  return {
    PAYME_CHECKOUT_URL: `http://127.0.0.1:${payme}`,
    CLICK_PAY_URL: `http://127.0.0.1:${click}/services/pay`,
    CLICK_API_URL: `http://127.0.0.1:${click}/v2/merchant`,
    MULTICARD_API_URL: `http://127.0.0.1:${multicard}`,
  };
}

/**
 * Starts stand-ins of Payme, Click and Multicard, each with a page where a person pays, declines or
 * leaves.
 *
 * @param given.hooks read at each press, so that accounts may be added later
 * @param given.multicardSecret the one that Multicard's callbacks are signed with
 * @returns how to end them
 * @throws where a port is taken
 */
export async function startStandIns(
  ports: StandInPorts,
  { hooks, multicardSecret }: { hooks: Hooks; multicardSecret: string },
): Promise<() => Promise<void>> {
  const multicard = new MulticardStandIn(multicardSecret);
  const started: Pick<Served, 'close'>[] = [];
  const stop = async () => void (await Promise.all(started.map((each) => each.close())));
  try {
    started.push(await servePage(paymePage(hooks), ports.payme));
    started.push(await servePage(clickPage(hooks), ports.click));
    await multicard.listen(ports.multicard);
    started.push(multicard);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
