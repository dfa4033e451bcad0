import { expect } from 'vitest';
import { type PaymeAnswer, PaymeCalls, type PaymeOrder } from './payme-calls.ts';

export type { PaymeOrder };

/** Payme's side of the Merchant API, as its sandbox tries a merchant (Payme, "pesochnitsa"). */
export class PaymeDriver extends PaymeCalls {
  /** A call that changes something: sent twice in turn and twice at once, all answered alike. */
  async callTwice(method: string, params: object): Promise<PaymeAnswer> {
    const first = await this.call(method, params);
    const others = [
      await this.call(method, params),
      ...(await Promise.all([this.call(method, params), this.call(method, params)])),
    ];
    for (const other of others) expect(other.result).toEqual(first.result);
    return first;
  }

  /** The part that both prescribed scenarios begin with, up to a created transaction. */
  async begin(order: PaymeOrder): Promise<{ id: string; created: Record<string, unknown> }> {
    const { field, amount } = order;
    const id = this.newId();
    for (const [method, params] of [
      ['CheckPerformTransaction', this.check(order)],
      ['CreateTransaction', this.create(id, order)],
      ['PerformTransaction', { id }],
      ['CancelTransaction', { id, reason: 5 }],
      ['CheckTransaction', { id }],
      ['GetStatement', { from: 0, to: 1 }],
    ] as const) {
      expect((await this.call(method, params, 'wrong')).error?.code, method).toBe(-32504);
    }
    const wrongAmount = { ...order, amount: amount + 1 };
    const noAccount = { ...order, account: 'no such account' };
    for (const [wrong, code] of [
      [wrongAmount, -31001],
      [noAccount, -31050],
    ] as const) {
      const checked = await this.call('CheckPerformTransaction', this.check(wrong));
      expect(checked.error?.code).toBe(code);
      const created = await this.call('CreateTransaction', this.create(id, wrong));
      expect(created.error?.code).toBe(code);
      if (code === -31050) expect(created.error).toMatchObject({ data: field });
    }
    const allowed = await this.call('CheckPerformTransaction', this.check(order));
    expect(allowed.result).toMatchObject({ allow: true });
    const created = await this.callTwice('CreateTransaction', this.create(id, order));
    expect(created.result).toMatchObject({ state: 1 });
    const other = await this.call('CreateTransaction', this.create(this.newId(), order));
    expect(other.error?.code).toBe(-31008);
    await this.expectState(id, { state: 1, perform_time: 0, cancel_time: 0, reason: null });
    return { id, created: created.result ?? {} };
  }

  async expectState(id: string, state: Record<string, unknown>): Promise<void> {
    expect((await this.call('CheckTransaction', { id })).result).toMatchObject(state);
  }

  /** Scenario 1: a transaction that was not performed is cancelled. */
  async cancelUnperformed(order: PaymeOrder, reason = 3): Promise<string> {
    const { id } = await this.begin(order);
    const canceled = await this.callTwice('CancelTransaction', { id, reason });
    expect(canceled.result).toMatchObject({ state: -1 });
    const { cancel_time: cancelTime } = canceled.result ?? {};
    expect(cancelTime).toBeGreaterThan(0);
    await this.expectState(id, { state: -1, cancel_time: cancelTime, reason, perform_time: 0 });
    return id;
  }

  /** The first half of scenario 2: a transaction is performed. */
  async perform(order: PaymeOrder): Promise<string> {
    const { id } = await this.begin(order);
    const performed = await this.callTwice('PerformTransaction', { id });
    expect(performed.result).toMatchObject({ state: 2 });
    const { perform_time: performTime } = performed.result ?? {};
    await this.expectState(id, { state: 2, perform_time: performTime, cancel_time: 0 });
    return id;
  }

  /** Scenario 2: a performed transaction is cancelled, which gives the money back. */
  async cancelPerformed(order: PaymeOrder): Promise<string> {
    const id = await this.perform(order);
    const canceled = await this.callTwice('CancelTransaction', { id, reason: 5 });
    expect(canceled.result).toMatchObject({ state: -2 });
    const { cancel_time: cancelTime } = canceled.result ?? {};
    await this.expectState(id, { state: -2, cancel_time: cancelTime, reason: 5 });
    const after = (await this.call('CheckTransaction', { id })).result;
    expect(after?.perform_time).toBeGreaterThan(0);
    return id;
  }
}
