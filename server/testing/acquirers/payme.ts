import assert from 'node:assert/strict';
import { type PaymeAnswer, PaymeCalls, type PaymeOrder } from './payme-calls.ts';

export type { PaymeOrder };

type Result = Record<string, unknown>;

/** Fails unless a result has these members; it may have others. */
function assertMembers(result: Result | undefined, wanted: Result): void {
  const names = Object.keys(wanted);
  assert.deepEqual(Object.fromEntries(names.map((name) => [name, result?.[name]])), wanted);
}

/** Payme's side of the Merchant API, as its sandbox tries a merchant (Payme, "pesochnitsa"). */
export class PaymeDriver extends PaymeCalls {
  /** A call that changes something: sent twice in turn and twice at once, all answered alike. */
  async callTwice(method: string, params: object): Promise<PaymeAnswer> {
    const first = await this.call(method, params);
    const others = [
      await this.call(method, params),
      ...(await Promise.all([this.call(method, params), this.call(method, params)])),
    ];
    for (const other of others) assert.deepEqual(other.result, first.result);
    return first;
  }

  /** A call sent many times at once, byte for byte: all answers are the same, byte for byte. */
  async repeat(method: string, params: object, times = 50): Promise<Result> {
    const text = JSON.stringify({ method, params, id: 1 });
    const answers = await Promise.all(Array.from({ length: times }, () => this.sendAs(text)));
    assert.deepEqual([...new Set(answers)], answers.slice(0, 1));
    return (JSON.parse(answers[0] ?? '') as PaymeAnswer).result ?? {};
  }

  /** A transaction whose every call comes fifty times at once, from the first one on. */
  async repeatAll(order: PaymeOrder): Promise<void> {
    const id = this.newId();
    assertMembers(await this.repeat('CreateTransaction', this.create(id, order)), { state: 1 });
    assertMembers(await this.repeat('PerformTransaction', { id }), { state: 2 });
    assertMembers(await this.repeat('CheckTransaction', { id }), { state: 2 });
    assertMembers(await this.repeat('CancelTransaction', { id, reason: 5 }), { state: -2 });
  }

  /** A transaction for each of many orders, all at once; none is lost. */
  async performAll(orders: readonly PaymeOrder[]): Promise<void> {
    const ids = orders.map(() => this.newId());
    const create = async (order: PaymeOrder, index: number) =>
      this.call('CreateTransaction', this.create(ids[index] ?? '', order));
    for (const { result } of await Promise.all(orders.map(create))) {
      assertMembers(result, { state: 1 });
    }
    const perform = (id: string) => this.call('PerformTransaction', { id });
    for (const { result } of await Promise.all(ids.map(perform))) {
      assertMembers(result, { state: 2 });
    }
  }

  async expectError(code: number, method: string, params: object, key?: string): Promise<void> {
    const { error } = await this.call(method, params, key);
    assert.equal(error?.code, code, `${method} ${JSON.stringify(params)}`);
  }

  async expectState(id: string, state: Result): Promise<void> {
    assertMembers((await this.call('CheckTransaction', { id })).result, state);
  }

  /** Bodies that are no calls, and calls about what is not there. */
  async expectRefusals(): Promise<void> {
    for (const [body, code, data] of [
      ['{', -32700],
      ['[]', -32600],
      ['{"method":"CheckTransaction","id":7}', -32600],
      ['{"method":"Nothing","params":{},"id":7}', -32601, 'Nothing'],
      ['{"method":"CheckTransaction","params":{"id":5},"id":7}', -32602],
    ] as const) {
      const { error, result } = await this.ask(body);
      assert.deepEqual([error?.code, error?.data, result], [code, data, undefined], body);
    }
    const id = this.newId();
    await this.expectError(-31003, 'PerformTransaction', { id });
    await this.expectError(-31003, 'CancelTransaction', { id, reason: 5 });
    await this.expectError(-31003, 'CheckTransaction', { id });
    await this.expectError(-32001, 'SetFiscalData', { id, type: 'PERFORM', fiscal_data: {} });
  }

  /** The part that both prescribed scenarios begin with, up to a created transaction. */
  async begin(order: PaymeOrder): Promise<{ id: string }> {
    const id = this.newId();
    for (const [method, params] of [
      ['CheckPerformTransaction', this.check(order)],
      ['CreateTransaction', this.create(id, order)],
      ['PerformTransaction', { id }],
      ['CancelTransaction', { id, reason: 5 }],
      ['CheckTransaction', { id }],
      ['GetStatement', { from: 0, to: 1 }],
    ] as const) {
      await this.expectError(-32504, method, params, 'wrong');
    }
    const wrongAmount = { ...order, amount: order.amount + 1 };
    const noAccount = { ...order, account: 'no such account' };
    await this.expectNotPayable(-31001, wrongAmount);
    await this.expectNotPayable(-31050, noAccount);
    const allowed = await this.call('CheckPerformTransaction', this.check(order));
    assertMembers(allowed.result, { allow: true });
    const created = await this.callTwice('CreateTransaction', this.create(id, order));
    assertMembers(created.result, { state: 1 });
    await this.expectError(-31052, 'CheckPerformTransaction', this.check(order));
    await this.expectError(-31008, 'CreateTransaction', this.create(this.newId(), order));
    const { create_time } = created.result ?? {};
    const open = { state: 1, create_time, perform_time: 0, cancel_time: 0, reason: null };
    await this.expectState(id, open);
    return { id };
  }

  /** Neither the check nor a new transaction passes; errors of the account name its field. */
  private async expectNotPayable(code: number, order: PaymeOrder): Promise<void> {
    for (const [method, params] of [
      ['CheckPerformTransaction', this.check(order)],
      ['CreateTransaction', this.create(this.newId(), order)],
    ] as const) {
      const { error } = await this.call(method, params);
      const data = code <= -31050 ? order.field : undefined;
      assert.deepEqual([error?.code, error?.data], [code, data]);
    }
  }

  /** Scenario 1: a transaction that was not performed is cancelled. */
  async cancelUnperformed(order: PaymeOrder, reason = 3): Promise<string> {
    const { id } = await this.begin(order);
    const canceled = await this.callTwice('CancelTransaction', { id, reason });
    assertMembers(canceled.result, { state: -1 });
    const { cancel_time } = canceled.result ?? {};
    assert.ok(Number(cancel_time) > 0);
    await this.expectState(id, { state: -1, cancel_time, reason, perform_time: 0 });
    await this.expectError(-31008, 'CreateTransaction', this.create(id, order));
    await this.expectError(-31008, 'PerformTransaction', { id });
    return id;
  }

  /** The first half of scenario 2: a transaction is performed. */
  async perform(order: PaymeOrder): Promise<string> {
    const { id } = await this.begin(order);
    const performed = await this.callTwice('PerformTransaction', { id });
    assertMembers(performed.result, { state: 2 });
    const { perform_time } = performed.result ?? {};
    assert.ok(Number(perform_time) > 0);
    await this.expectState(id, { state: 2, perform_time, cancel_time: 0, reason: null });
    await this.expectError(-31008, 'CreateTransaction', this.create(id, order));
    await this.expectNotPayable(-31051, order);
    return id;
  }

  /** Scenario 2: a performed transaction is cancelled, which gives the money back. */
  async cancelPerformed(order: PaymeOrder): Promise<string> {
    const id = await this.perform(order);
    const { perform_time } = (await this.call('CheckTransaction', { id })).result ?? {};
    const canceled = await this.callTwice('CancelTransaction', { id, reason: 5 });
    assertMembers(canceled.result, { state: -2 });
    const { cancel_time } = canceled.result ?? {};
    // A repeat for another reason changes nothing.
    const again = await this.call('CancelTransaction', { id, reason: 4 });
    assert.deepEqual(again.result, canceled.result);
    await this.expectState(id, { state: -2, perform_time, cancel_time, reason: 5 });
    await this.expectError(-31008, 'PerformTransaction', { id });
    return id;
  }
}
