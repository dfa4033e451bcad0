import { createHash, timingSafeEqual } from 'node:crypto';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import type {
  AttemptKey,
  Authorisation,
  BookLine,
  Captured,
  CaptureRequest,
  HookActions,
  HookAnswer,
  HookRequest,
  ReadBooks,
  RedirectProvider,
  Settlement,
} from '../../provider.ts';
import type { StartRequest } from '../../start-request.ts';
import type { CardBrand } from '../../types.ts';
import { NotSentError } from '../acquirer-client.ts';
import { MulticardApi, type MulticardPayment, MulticardRefusal } from './api.ts';
import { type FiscalLine, MulticardRefunds } from './refunds.ts';

/** How long Multicard's page accepts a payment: we ask for that much. */
export const PAGE_LIFE_MS = 30 * 60_000;

/** A payment is `billing` during its callback: the money is taken, and our answer keeps it. */
const TAKEN = ['billing', 'success'];
const GIVEN_BACK = ['error', 'revert'];

type Options = { account: OpenAccount; apiUrl: string; clock: () => Date };

/** The signature of a callback: MD5 over texts without separators (Multicard, "callback on success"). */
export function callbackSignature(
  { storeId, invoiceId, amount }: { storeId: string; invoiceId: string; amount: string },
  secret: string,
): string {
  return createHash('md5').update(`${storeId}${invoiceId}${amount}${secret}`).digest('hex');
}

/** Tiyin as the number that Multicard wants: it represents our amounts exactly. */
const toTiyin = (amountMinor: bigint): number => Number(amountMinor);

/**
 * Multicard: we make an invoice there, and the buyer pays at its page. The answer to its callback
 * decides: Multicard keeps the money or returns it.
 */
export class Multicard implements RedirectProvider {
  readonly kind = 'redirect';
  readonly name = 'multicard';
  readonly pageLifeMs = PAGE_LIFE_MS;
  readonly refunds: MulticardRefunds;
  private readonly api: MulticardApi;
  private readonly account: OpenAccount;

  constructor({ account, apiUrl, clock }: Options) {
    this.account = account;
    this.api = new MulticardApi(account, apiUrl, clock);
    this.refunds = new MulticardRefunds(this.api, this.line);
  }

  async start(request: StartRequest): Promise<Authorisation> {
    try {
      const made = await this.api.createInvoice(this.invoiceOf(request));
      return { state: 'challenge', authorisationId: made.uuid, url: made.checkout_url };
    } catch (error) {
      // Multicard made nothing when it refused.
      if (error instanceof MulticardRefusal)
        throw new NotSentError(error.message, { cause: error });
      throw error;
    }
  }

  private readonly line: FiscalLine = (name, amountMinor) => {
    const { mxik, package_code, vat_percent } = this.account.credentials;
    const vat = vat_percent === undefined ? {} : { vat: Number(vat_percent) };
    const tiyin = toTiyin(amountMinor);
    return { qty: 1, price: tiyin, total: tiyin, mxik, package_code, name, ...vat };
  };

  private invoiceOf(request: StartRequest): object {
    const { store_id } = this.account.credentials;
    const { positions, amountMinor, description } = request;
    const sum = positions.reduce((total, each) => total + each.amountMinor, 0n);
    // Lines that add up to another sum are no receipt of the invoice: it then has one line.
    const lines =
      sum === amountMinor
        ? positions.map((each) => this.line(each.title, each.amountMinor))
        : [this.line(description, amountMinor)];
    return {
      store_id: /^\d+$/.test(store_id ?? '') ? Number(store_id) : store_id,
      amount: toTiyin(amountMinor),
      invoice_id: request.invoiceId,
      callback_url: request.hookUrl,
      return_url: request.returnUrl,
      return_error_url: request.returnUrl,
      lang: request.locale,
      ttl: PAGE_LIFE_MS / 1000,
      ofd: lines,
    };
  }

  async lookup({ authorisationId }: AttemptKey): Promise<Authorisation | { state: 'unknown' }> {
    // No buyer saw a link: an invoice lost with the answer cannot be paid.
    if (authorisationId === null) return { state: 'unknown' };
    return authorisationOf(authorisationId, await this.paymentOf(authorisationId));
  }

  /** The payment was the capture: there is only one stage. */
  async capture({ authorisationId }: CaptureRequest): Promise<Captured> {
    const payment = await this.paymentOf(authorisationId);
    const { status = '' } = payment ?? {};
    if (payment && TAKEN.includes(status)) {
      return { state: 'captured', settlement: settlementOf(authorisationId, payment) };
    }
    return { state: GIVEN_BACK.includes(status) ? 'refused' : 'pending' };
  }

  async void(authorisationId: string): Promise<void> {
    const { status = '', uuid = authorisationId } = (await this.paymentOf(authorisationId)) ?? {};
    if (GIVEN_BACK.includes(status)) return;
    try {
      if (TAKEN.includes(status)) await this.api.deletePayment(uuid);
      else await this.api.deleteInvoice(authorisationId);
    } catch (error) {
      if (!(error instanceof MulticardRefusal)) throw error;
      if (error.code !== 'ERROR_NOT_FOUND') throw error;
    }
  }

  /**
   * `success: true` keeps the money, `false` returns it: the latter is said only when the invoice
   * surely cannot be paid. A fault of ours is exactly 500, after which the money stays frozen.
   */
  async handle(request: HookRequest, { resume }: HookActions): Promise<HookAnswer> {
    const call = parse(request.body);
    if (!call || !this.isSigned(call)) return answer(403, { success: false }, 'wrong_signature');
    try {
      const about = { reference: call.uuid, invoiceId: call.invoiceId };
      let attempt = await resume(about);
      // The same call at the same moment has the claim: both finish it, and answer alike.
      if (attempt?.status === 'capturing') attempt = await resume(about);
      if (attempt?.status === 'captured') return answer(200, { success: true });
      const isOver =
        attempt !== null && !['authorising', 'challenge', 'capturing'].includes(attempt.status);
      if (!isOver) return answer(500, {});
      return answer(200, { success: false, message: 'The invoice cannot be paid any more.' });
    } catch {
      return answer(500, {});
    }
  }

  /** Multicard has no list: each of the known payments is asked about, one after the other. */
  readonly readBooks: ReadBooks = ({ known }) => this.linesOf(known);

  readonly hasBooksOfPaymentsOnly = true;

  private async *linesOf(known: Parameters<ReadBooks>[0]['known']): AsyncIterable<BookLine> {
    for await (const { attempt, transactionId } of known) {
      const payment = await this.paymentOf(attempt.authorisationId ?? transactionId);
      if (payment) yield lineOf(attempt, payment);
    }
  }

  private isSigned({ storeId, invoiceId, amount, sign }: Call): boolean {
    const { secret = '' } = this.account.credentials;
    const wanted = Buffer.from(callbackSignature({ storeId, invoiceId, amount }, secret));
    const given = Buffer.from(sign.toLowerCase());
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  private async paymentOf(uuid: string): Promise<MulticardPayment | null> {
    try {
      return (await this.api.readInvoice(uuid)).payment ?? null;
    } catch (error) {
      if (error instanceof MulticardRefusal && error.code === 'ERROR_NOT_FOUND') return null;
      throw error;
    }
  }
}

const BRANDS: Readonly<Record<string, CardBrand>> = {
  uzcard: 'uzcard',
  humo: 'humo',
  visa: 'visa',
  mastercard: 'mastercard',
  unionpay: 'unionpay',
};

/** The buyer's own commission is none of the merchant's; a shop's is its fee (Multicard, A3). */
function settlementOf(authorisationId: string, payment: MulticardPayment): Settlement {
  const { uuid, receipt_url, ps, card_pan, commission_type, commission_amount } = payment;
  const [cardLast4 = null] = /\d{4}$/.exec(card_pan ?? '') ?? [];
  const isFee = commission_type === 'down' && Number.isSafeInteger(commission_amount);
  return {
    transactionId: uuid ?? authorisationId,
    receiptUrl: receipt_url?.startsWith('https://') ? receipt_url : null,
    cardBrand: BRANDS[ps ?? ''] ?? null,
    cardLast4,
    feeMinor: isFee ? BigInt(commission_amount ?? 0) : null,
  };
}

/** The payment of an attempt as a line of Multicard's books. */
function lineOf(attempt: AttemptKey, payment: MulticardPayment): BookLine {
  const { status = 'draft', payment_amount: amount, uuid } = payment;
  const id = uuid ?? attempt.authorisationId ?? '';
  const ended = GIVEN_BACK.includes(status) ? 'ended' : 'open';
  return {
    kind: 'payment',
    id,
    paymentId: id,
    ourId: attempt.id,
    amountMinor: BigInt(amount ?? 0),
    currency: 'UZS',
    state: TAKEN.includes(status) ? 'succeeded' : ended,
    createdAtMs: attempt.createdAtMs,
    feeMinor: settlementOf(id, payment).feeMinor,
  };
}

function authorisationOf(authorisationId: string, payment: MulticardPayment | null): Authorisation {
  const { status = 'draft', payment_amount: amount } = payment ?? {};
  if (TAKEN.includes(status)) {
    const amountMinor = BigInt(amount ?? 0);
    return { state: 'approved', authorisationId, held: { amountMinor, currency: 'UZS' } };
  }
  if (GIVEN_BACK.includes(status)) {
    return { state: 'declined', reason: 'generic_decline', authorisationId };
  }
  // The status is open, or unknown to us: the buyer may be about to pay.
  return { state: 'challenge', authorisationId, url: null };
}

type Call = { storeId: string; invoiceId: string; amount: string; uuid: string; sign: string };

function parse(bytes: Uint8Array): Call | null {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
  if (typeof body !== 'object' || body === null) return null;
  const { store_id, invoice_id, amount, uuid, sign } = body as Record<string, unknown>;
  const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  if (![store_id, invoice_id, amount, uuid, sign].every(isText)) return null;
  return {
    storeId: String(store_id),
    invoiceId: String(invoice_id),
    amount: String(amount),
    uuid: String(uuid),
    sign: String(sign),
  };
}

function answer(status: number, body: object, fault: HookAnswer['fault'] = null): HookAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(body), fault };
}
