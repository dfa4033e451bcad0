/** An answer of ours in Payme's protocol. */
export type PaymeAnswer = {
  id: number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: Record<'ru' | 'uz' | 'en', string>; data?: string };
};

/** How Payme reaches the hook: a call's text and its Basic header, for the answer's text. */
export type Send = (body: string, authorization: string) => Promise<string>;

/** What Payme knows of an order. */
export type PaymeOrder = { field: string; account: string; amount: number };

/** An error's message is shown to the buyer in one of them. */
const LANGUAGES = ['ru', 'uz', 'en'] as const;

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
    const text = JSON.stringify({ method, params, id });
    const answer = await this.ask(text, key);
    const { result, error } = answer;
    const isTold = error === undefined || LANGUAGES.every((each) => error.message[each]);
    const isWhole = answer.id === id && (result === undefined) !== (error === undefined);
    if (!isWhole || !isTold)
      throw new Error(`no answer to call ${id} in the protocol: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Sends a call's text as it is. */
  protected async ask(text: string, key = this.key): Promise<PaymeAnswer> {
    return JSON.parse(await this.sendAs(text, key)) as PaymeAnswer;
  }

  protected sendAs(text: string, key = this.key): Promise<string> {
    return this.send(text, `Basic ${Buffer.from(`Paycom:${key}`).toString('base64')}`);
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
