import { expect } from 'vitest';

/** An answer of ours in Payme's protocol. */
export type PaymeAnswer = {
  id: number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: Record<'ru' | 'uz' | 'en', string>; data?: string };
};

/** How Payme reaches the hook: the bytes of a call and its Basic header, or none. */
export type Send = (body: string, authorization: string | null) => Promise<PaymeAnswer>;

/** What Payme knows of an order. */
export type PaymeOrder = { field: string; account: string; amount: number };

let calls = 0;

/** Payme's side of the Merchant API, as its sandbox calls a merchant (Payme, "pesochnitsa"). */
export class PaymeDriver {
  private readonly send: Send;
  private readonly key: string;
  private readonly clock: () => Date;

  constructor(send: Send, options: { key: string; clock: () => Date }) {
    this.send = send;
    this.key = options.key;
    this.clock = options.clock;
  }

  /** A call by its method, with the kassa's key or another. */
  async call(method: string, params: object, key = this.key): Promise<PaymeAnswer> {
    calls += 1;
    const id = calls;
    const header = `Basic ${Buffer.from(`Paycom:${key}`).toString('base64')}`;
    const answer = await this.send(JSON.stringify({ method, params, id }), header);
    expect(answer.id).toBe(id);
    expect(answer.result === undefined).toBe(answer.error !== undefined);
    return answer;
  }

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

  newId(): string {
    return crypto.randomUUID().replaceAll('-', '').slice(0, 24);
  }

  create(id: string, { field, account, amount }: PaymeOrder, time = this.clock().getTime()) {
    return { id, time, amount, account: { [field]: account } };
  }

  /** The part that both prescribed scenarios begin with, up to a created transaction. */
  async begin(order: PaymeOrder): Promise<{ id: string; created: Record<string, unknown> }> {
    const { field, account, amount } = order;
    const id = this.newId();
    for (const [method, params] of [
      ['CheckPerformTransaction', { amount, account: { [field]: account } }],
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
      const check = { amount: wrong.amount, account: { [field]: wrong.account } };
      expect((await this.call('CheckPerformTransaction', check)).error?.code).toBe(code);
      const created = await this.call('CreateTransaction', this.create(id, wrong));
      expect(created.error?.code).toBe(code);
      if (code === -31050) expect(created.error).toMatchObject({ data: field });
    }
    const check = { amount, account: { [field]: account } };
    const allowed = await this.call('CheckPerformTransaction', check);
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
