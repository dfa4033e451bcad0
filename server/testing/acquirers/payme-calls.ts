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

/** Payme's side of the Merchant API: how it calls a merchant. */
export class PaymeCalls {
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
    const isWhole =
      answer.id === id && (answer.result === undefined) !== (answer.error === undefined);
    if (!isWhole)
      throw new Error(`no answer to call ${id} in the protocol: ${JSON.stringify(answer)}`);
    return answer;
  }

  newId(): string {
    return crypto.randomUUID().replaceAll('-', '').slice(0, 24);
  }

  check({ field, account, amount }: PaymeOrder) {
    return { amount, account: { [field]: account } };
  }

  create(id: string, order: PaymeOrder, time = this.clock().getTime()) {
    return { id, time, ...this.check(order) };
  }
}
