import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { ClickDriver } from '../server/testing/acquirers/click.ts';
import { PaymeCalls } from '../server/testing/acquirers/payme-calls.ts';

/** The calls that one payment consists of, in their order, by the acquirer that makes them. */
export const HOOKS = [
  'CheckPerformTransaction',
  'CreateTransaction',
  'PerformTransaction',
  'Prepare',
  'Complete',
] as const;
type Hook = (typeof HOOKS)[number];

/** How long each call waited for its answer, in milliseconds. */
export type HookTimes = Record<Hook, number[]>;

export const ACCOUNT_FIELD = 'invoice_id';

/** A merchant's accounts, and its invoices that can be paid: each is paid once. */
export type Payable = {
  payme: { accountId: string; key: string };
  click: { accountId: string; serviceId: string; secretKey: string };
  invoiceIds: string[];
  amountMinor: number;
};

const EVERY_MS = 50;
/** A payment by Payme is three calls, one by Click two. */
export const HOOKS_PER_SECOND = (1000 / EVERY_MS) * HOOKS.length;
const CONNECTIONS = 32;

/**
 * Payme and Click, each beginning a payment every 50 ms, whether or not earlier ones were answered.
 * A payment's first call counts from its due time, a later one from the answer to the previous one.
 */
export class HookLoad {
  private readonly pool: Pool;
  private readonly payable: Payable;
  private used = 0;

  constructor(port: number, payable: Payable) {
    this.pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
    this.payable = payable;
  }

  /** Begins payments for that long, and waits until all of them are paid. */
  async run(durationMs: number): Promise<HookTimes> {
    const times: HookTimes = {
      CheckPerformTransaction: [],
      CreateTransaction: [],
      PerformTransaction: [],
      Prepare: [],
      Complete: [],
    };
    const startMs = performance.now();
    const payments: Promise<void>[] = [];
    for (let begun = 0; begun * EVERY_MS < durationMs; begun++) {
      const dueMs = startMs + begun * EVERY_MS;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      payments.push(this.payByPayme(times, dueMs), this.payByClick(times, dueMs));
    }
    await Promise.all(payments);
    return times;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async payByPayme(times: HookTimes, dueMs: number): Promise<void> {
    const { payme, amountMinor } = this.payable;
    const path = `/api/acquirers/payme/${payme.accountId}`;
    const calls = new PaymeCalls(
      async (body, authorization) => {
        const headers = { 'content-type': 'application/json', authorization: authorization ?? '' };
        return this.post(path, headers, body);
      },
      { key: payme.key, clock: () => new Date() },
    );
    const order = { field: ACCOUNT_FIELD, account: this.nextInvoice(), amount: amountMinor };
    const id = calls.newId();
    const params = {
      CheckPerformTransaction: calls.check(order),
      CreateTransaction: calls.create(id, order),
      PerformTransaction: { id },
    };
    let fromMs = dueMs;
    for (const hook of Object.keys(params) as (keyof typeof params)[]) {
      const { error } = await calls.call(hook, params[hook]);
      if (error) throw new Error(`${hook} was answered ${error.code}: ${error.message.en}`);
      fromMs = note(times[hook], fromMs);
    }
  }

  private async payByClick(times: HookTimes, dueMs: number): Promise<void> {
    const { click, amountMinor } = this.payable;
    const path = `/api/acquirers/click/${click.accountId}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const driver = new ClickDriver((body) => this.post(path, headers, body), click);
    const order = { invoiceId: this.nextInvoice(), amount: (amountMinor / 100).toFixed(2) };
    const payment = driver.newPayment();
    const prepared = await driver.prepare(payment, order);
    if (prepared.error !== 0) throw new Error(`Prepare was answered ${prepared.error_note}`);
    const fromMs = note(times.Prepare, dueMs);
    const prepareId = String(prepared.merchant_prepare_id);
    const { error, error_note: reason } = await driver.complete(payment, order, { prepareId });
    if (error !== 0) throw new Error(`Complete was answered ${reason}`);
    note(times.Complete, fromMs);
  }

  private async post(path: string, headers: Record<string, string>, body: string) {
    const answer = await this.pool.request({ method: 'POST', path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`a hook was answered ${answer.statusCode}`);
    return text;
  }

  private nextInvoice(): string {
    const id = this.payable.invoiceIds[this.used];
    if (id === undefined) throw new Error('All invoices are paid: seed more.');
    this.used += 1;
    return id;
  }
}

/** Adds the time since `fromMs`. @returns the time now */
function note(times: number[], fromMs: number): number {
  const nowMs = performance.now();
  times.push(nowMs - fromMs);
  return nowMs;
}
