import { LruMap } from '../../../lib/lru-map.ts';
import { processWide } from '../../../lib/process-wide.ts';
import type { AccountFault } from '../../../merchants/account-faults.ts';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import {
  type AcquirerCall,
  type AcquirerReply,
  callAcquirer,
  NotSentError,
} from '../acquirer-client.ts';

/** An invoice at Multicard, with the fields that we read. */
export type MulticardInvoice = { uuid: string; checkout_url: string };

/** A payment at Multicard: `payment_amount` is our sum, without the buyer's commission. */
export type MulticardPayment = {
  uuid?: string;
  status?: string;
  payment_amount?: number;
  store_invoice_id?: string;
  ps?: string | null;
  card_pan?: string | null;
  receipt_url?: string | null;
  /** `up`: the buyer pays it on top; `down`: the shop pays it. */
  commission_type?: string | null;
  /** Tiyin. */
  commission_amount?: number | null;
  /** When money of it went back; null while none has. */
  refund_time?: string | null;
};

/** A refusal by Multicard, with its own code; nothing was done. */
export class MulticardRefusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, details: string) {
    super(`multicard: ${code}: ${details}`);
    this.code = code;
    this.status = status;
  }
}

// A token lives for a day; a new one is requested well before its end.
const TOKEN_LIFE_MS = 12 * 3_600_000;

type Token = { text: string; untilMs: number };
const tokens = processWide('multicard tokens', () => new LruMap<string, Token>(1_000));

type Envelope = {
  success?: boolean;
  data?: unknown;
  error?: { code?: string; details?: string };
};

/** Multicard's API for one account (Multicard, OpenAPI). */
export class MulticardApi {
  private readonly account: OpenAccount;
  private readonly apiUrl: string;
  private readonly clock: () => Date;

  constructor(account: OpenAccount, apiUrl: string, clock: () => Date) {
    this.account = account;
    this.apiUrl = apiUrl;
    this.clock = clock;
  }

  /** Why Multicard gives the account no token; null when it does. */
  async check(): Promise<AccountFault | null> {
    const { token, reply } = await this.askToken();
    if (token !== null) return null;
    return isRefusal(reply)
      ? { code: 'credentials_refused', detail: refusalOf(reply).code }
      : { code: 'unexpected_answer', detail: String(reply.status) };
  }

  /**
   * A new token for a call.
   *
   * @throws MulticardRefusal when the credentials are wrong, and NotSentError where no token came:
   *   the call that needs it was not made
   */
  private async authorise(): Promise<string> {
    const { token, reply } = await this.askToken().catch((error: unknown) => {
      throw new NotSentError(String(error), { cause: error });
    });
    if (token !== null) return token;
    if (isRefusal(reply)) throw refusalOf(reply);
    throw new NotSentError(`multicard gave no token: ${reply.status}`);
  }

  private async askToken(): Promise<{ token: string | null; reply: AcquirerReply }> {
    const { application_id, secret } = this.account.credentials;
    const reply = await this.send({
      operation: 'auth',
      method: 'POST',
      url: '/auth',
      body: { application_id, secret },
    });
    const { token } = (reply.json ?? {}) as { token?: unknown };
    if (reply.status !== 200 || typeof token !== 'string') return { token: null, reply };
    tokens.set(this.account.id, { text: token, untilMs: this.clock().getTime() + TOKEN_LIFE_MS });
    return { token, reply };
  }

  async createInvoice(body: object): Promise<MulticardInvoice> {
    const call = { operation: 'create', method: 'POST', url: '/payment/invoice', body } as const;
    return (await this.ask(call)) as MulticardInvoice;
  }

  /** The invoice with its payment, once there is one. */
  async readInvoice(uuid: string): Promise<{ payment?: MulticardPayment | null }> {
    const url = `/payment/invoice/${encodeURIComponent(uuid)}`;
    return (await this.ask({ operation: 'invoice', method: 'GET', url })) as {
      payment?: MulticardPayment | null;
    };
  }

  async readPayment(uuid: string): Promise<MulticardPayment> {
    const url = `/payment/${encodeURIComponent(uuid)}`;
    return (await this.ask({ operation: 'payment', method: 'GET', url })) as MulticardPayment;
  }

  /** Withdraws an invoice that nobody has paid. */
  async deleteInvoice(uuid: string): Promise<void> {
    const url = `/payment/invoice/${encodeURIComponent(uuid)}`;
    await this.ask({ operation: 'withdraw', method: 'DELETE', url });
  }

  /** Gives the whole of a payment back. */
  async deletePayment(uuid: string): Promise<void> {
    const url = `/payment/${encodeURIComponent(uuid)}`;
    await this.ask({ operation: 'refund', method: 'DELETE', url });
  }

  /** Gives a part of a payment back; `ofd` are the lines of the receipt for what remains. */
  async deletePart(uuid: string, part: { refund_amount: number; ofd: object[] }): Promise<void> {
    const url = `/payment/${encodeURIComponent(uuid)}/partial`;
    await this.ask({ operation: 'partial refund', method: 'DELETE', url, body: part });
  }

  /**
   * The `data` of an answer; an expired token is replaced, and the call repeated once.
   *
   * @throws MulticardRefusal for a refusal by Multicard; any other error leaves the result open
   */
  private async ask(call: Pick<AcquirerCall, 'operation' | 'method' | 'url' | 'body'>) {
    const kept = tokens.get(this.account.id);
    const isGood = kept && kept.untilMs > this.clock().getTime();
    let reply = await this.send(call, isGood ? kept.text : await this.authorise());
    if (reply.status === 401) reply = await this.send(call, await this.authorise());
    const { success, data } = (reply.json ?? {}) as Envelope;
    if (success === true && typeof data === 'object' && data !== null) return data;
    if (success === false) throw refusalOf(reply);
    throw new Error(`multicard answered ${call.operation} by ${reply.status}`);
  }

  private send(
    call: Pick<AcquirerCall, 'operation' | 'method' | 'url' | 'body'>,
    token?: string,
  ): Promise<AcquirerReply> {
    return callAcquirer({
      ...call,
      account: this.account,
      url: `${this.apiUrl}${call.url}`,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  }
}

/** Whether Multicard answered the question for a token by a no of its own. */
function isRefusal({ status, json }: AcquirerReply): boolean {
  return status < 500 && json !== undefined;
}

function refusalOf({ status, json }: AcquirerReply): MulticardRefusal {
  const { error } = (json ?? {}) as Envelope;
  return new MulticardRefusal(error?.code ?? 'ERROR_UNKNOWN', status, error?.details ?? '');
}
