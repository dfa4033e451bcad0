import type { Pool } from 'pg';
import { readInvoiceForBuyer } from '../../../invoices/data.ts';
import type { Actor, Invoice } from '../../../invoices/types.ts';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import { log } from '../../../observability/log.ts';
import {
  type AcquirerTransaction,
  addDetail,
  findTransaction,
  findTransactionOfAttempt,
  listTransactions,
} from '../../holds/acquirer-transactions.ts';
import { cancelHold, openHold, performHold } from '../../holds/holds.ts';
import type {
  HookActions,
  HookAnswer,
  HookRequest,
  InboundProvider,
  LinkRequest,
} from '../../provider.ts';
import type { DeclineReason, PaymentAttempt } from '../../types.ts';
import { paymeLink } from './link.ts';
import {
  accountIn,
  beingPaid,
  idOf,
  isAuthorised,
  noInvoice,
  noMethod,
  noReceipt,
  noTransaction,
  notAuthorised,
  notPayable,
  notPossible,
  notPost,
  ownFault,
  PaymeError,
  parseBody,
  parseCall,
  textIn,
  wholeIn,
  wrongAmount,
  wrongParams,
} from './protocol.ts';

/** The limit counts from Payme's own time of a transaction (Payme, CreateTransaction). */
export const TRANSACTION_LIFE_MS = 12 * 60 * 60_000;
const REASON_TIMEOUT = 4;

const STATES = { created: 1, performed: 2, canceled: -1, reversed: -2 } as const;

type Options = {
  account: OpenAccount;
  checkoutUrl: string;
  clock: () => Date;
  receiptUrl: (invoiceId: string) => string;
};

type Actions = Pick<HookActions, 'takeRefund'>;

/** Why the buyer's payment was given up, by Payme's reasons 1 to 10. */
function declineReasonOf(reason: number): DeclineReason {
  if (reason === REASON_TIMEOUT) return 'challenge_abandoned';
  return reason === 2 ? 'generic_decline' : 'processing_error';
}

/**
 * Payme's Merchant API: the buyer pays at Payme, which calls us. All answers about a transaction
 * come from the row, so a repeated call gets the same answer, times included.
 */
export class Payme implements InboundProvider {
  readonly kind = 'inbound';
  readonly name = 'payme';
  private readonly db: Pool;
  private readonly options: Options;
  private readonly field: string;

  constructor(db: Pool, options: Options) {
    this.db = db;
    this.options = options;
    this.field = options.account.credentials.account_field ?? 'invoice_id';
  }

  link({ invoiceId, amountMinor, locale, returnUrl }: LinkRequest): string {
    const { account, checkoutUrl } = this.options;
    return paymeLink(checkoutUrl, {
      merchantId: account.credentials.merchant_id ?? '',
      accountField: this.field,
      invoiceId,
      amountMinor,
      locale,
      returnUrl,
    });
  }

  /** Always HTTP 200: Payme takes any other status for a fault of ours. */
  async handle(request: HookRequest, actions: Actions): Promise<HookAnswer> {
    let body: unknown;
    let answer: object;
    let fault: HookAnswer['fault'] = null;
    try {
      if (request.method !== 'POST') throw notPost();
      body = parseBody(request.body);
      const { key = '' } = this.options.account.credentials;
      if (!isAuthorised(request.header('authorization'), key)) throw notAuthorised();
      const { method, params } = parseCall(body);
      answer = { result: await this.call(method, params, actions) };
    } catch (error) {
      const known = error instanceof PaymeError ? error : ownFault();
      if (known !== error) log().error({ err: error, account: this.options.account.id }, 'payme');
      if (known.code === -32504) fault = 'wrong_key';
      const { code, texts, data } = known;
      answer = { error: { code, message: texts, ...(data === undefined ? {} : { data }) } };
    }
    const text = JSON.stringify({ ...answer, id: idOf(body) });
    return { status: 200, contentType: 'application/json; charset=UTF-8', body: text, fault };
  }

  /** Gives up a transaction past Payme's limit, as Payme itself does. */
  async lookAfter({ id }: PaymentAttempt): Promise<'ended' | 'open'> {
    const transaction = await findTransactionOfAttempt(this.db, id);
    if (transaction?.state !== 'created') return 'ended';
    if (!this.isOver(transaction)) return 'open';
    await this.giveUp(transaction);
    return 'ended';
  }

  private async call(method: string, params: object, actions: Actions): Promise<object> {
    switch (method) {
      case 'CheckPerformTransaction':
        await this.demandPayable(params);
        return { allow: true };
      case 'CreateTransaction':
        return await this.create(params);
      case 'PerformTransaction':
        return await this.perform(params);
      case 'CancelTransaction':
        return await this.cancel(params, actions);
      case 'CheckTransaction':
        return this.describe(await this.known(params));
      case 'GetStatement':
        return await this.statement(params);
      case 'SetFiscalData':
        return await this.setFiscalData(params);
      default:
        throw noMethod(method);
    }
  }

  private async invoiceOf(params: object): Promise<Invoice> {
    const { merchantId, environment } = this.options.account;
    const id = accountIn(params, this.field);
    const invoice = await readInvoiceForBuyer(this.db, id, { now: this.options.clock() });
    const isOwn = invoice?.merchantId === merchantId && invoice.environment === environment;
    if (!invoice || !isOwn || invoice.currency !== 'UZS') throw noInvoice(this.field);
    return invoice;
  }

  private async demandPayable(params: object): Promise<Invoice> {
    const amount = BigInt(wholeIn(params, 'amount'));
    const invoice = await this.invoiceOf(params);
    if (invoice.amountMinor !== amount) throw wrongAmount();
    if (invoice.status !== 'PENDING') throw notPayable(this.field);
    if (invoice.captureAttemptId !== null) throw beingPaid(this.field);
    return invoice;
  }

  private async create(params: object): Promise<object> {
    const acquirerId = textIn(params, 'id');
    const find = () => findTransaction(this.db, this.options.account.id, acquirerId);
    const before = await find();
    if (before) return await this.createdBefore(before);
    let opened: AcquirerTransaction;
    try {
      opened = await this.open(params, acquirerId);
    } catch (error) {
      // The invoice may be held by a repeat of this very call, which came in between.
      const repeated = await find();
      if (!repeated) throw error;
      opened = repeated;
    }
    return await this.createdBefore(opened);
  }

  private async open(params: object, acquirerId: string): Promise<AcquirerTransaction> {
    const acquirerAtMs = wholeIn(params, 'time');
    const { account, clock } = this.options;
    const invoice = await this.demandFree(params);
    if (this.isOver({ acquirerAtMs })) throw notPossible();
    const hold = {
      account,
      invoiceId: invoice.id,
      acquirerId,
      acquirerAtMs,
      amountMinor: invoice.amountMinor,
      currency: invoice.currency,
      paymentNumber: null,
    };
    const opened = await openHold(this.db, hold, clock());
    if (!opened) throw notPossible();
    return opened;
  }

  /** The same checks, with Create's code for an invoice that another transaction holds. */
  private async demandFree(params: object): Promise<Invoice> {
    try {
      return await this.demandPayable(params);
    } catch (error) {
      throw error instanceof PaymeError && error.code === -31052 ? notPossible() : error;
    }
  }

  private async createdBefore(transaction: AcquirerTransaction): Promise<object> {
    if (transaction.state !== 'created') throw notPossible();
    if (this.isOver(transaction)) {
      await this.giveUp(transaction);
      throw notPossible();
    }
    const { createdAtMs, attemptId } = transaction;
    return { create_time: createdAtMs, transaction: attemptId, state: 1, receivers: null };
  }

  private async perform(params: object): Promise<object> {
    const before = await this.known(params);
    if (before.state === 'created' && this.isOver(before)) {
      await this.giveUp(before);
      throw notPossible();
    }
    const { account, clock, receiptUrl } = this.options;
    const extraData = {
      provider: this.name,
      transaction_id: before.acquirerId,
      receipt_url: receiptUrl(before.invoiceId),
      account_id: account.id,
    };
    const now = clock();
    const actor: Actor = { type: 'buyer' };
    const after =
      before.state === 'created'
        ? await performHold(this.db, before, { extraData, actor, now })
        : before;
    if (after.state !== 'performed') throw notPossible();
    return { transaction: after.attemptId, perform_time: after.performedAtMs, state: 2 };
  }

  /** Money of a performed transaction is given back in Payme's cabinet only, and is told here. */
  private async cancel(params: object, { takeRefund }: Actions): Promise<object> {
    const reason = wholeIn(params, 'reason');
    const before = await this.known(params);
    const after = await cancelHold(this.db, before, {
      reason,
      declineReason: declineReasonOf(reason),
      now: this.options.clock(),
    });
    // A repeat finds it taken in: Payme comes again until it is answered.
    if (after.state === 'reversed') {
      await takeRefund({
        state: 'succeeded',
        refundId: null,
        reference: after.acquirerId,
        transactionId: after.acquirerId,
        amountMinor: after.amountMinor,
        currency: 'UZS',
        reason: `CancelTransaction, reason ${after.reason}`,
        failureReason: null,
      });
    }
    return {
      transaction: after.attemptId,
      cancel_time: after.canceledAtMs,
      state: STATES[after.state],
    };
  }

  private async statement(params: object): Promise<object> {
    const fromMs = wholeIn(params, 'from');
    const toMs = wholeIn(params, 'to');
    const found = await listTransactions(this.db, this.options.account.id, { fromMs, toMs });
    const transactions = found.map((each) => ({
      id: each.acquirerId,
      time: each.acquirerAtMs,
      amount: Number(each.amountMinor),
      account: { [this.field]: each.invoiceId },
      ...this.describe(each),
      receivers: null,
    }));
    return { transactions };
  }

  private async setFiscalData(params: object): Promise<object> {
    const id = textIn(params, 'id');
    const transaction = await findTransaction(this.db, this.options.account.id, id);
    if (!transaction) throw noReceipt();
    const { type, fiscal_data: data } = params as { type?: unknown; fiscal_data?: unknown };
    if ((type !== 'PERFORM' && type !== 'CANCEL') || typeof data !== 'object' || data === null) {
      throw wrongParams();
    }
    await addDetail(this.db, transaction.attemptId, `fiscal_${type.toLowerCase()}`, data);
    return { success: true };
  }

  private async known(params: object): Promise<AcquirerTransaction> {
    const id = textIn(params, 'id');
    const transaction = await findTransaction(this.db, this.options.account.id, id);
    if (!transaction) throw noTransaction();
    return transaction;
  }

  /** A time that was not reached is 0; the reason is null without a cancellation. */
  private describe(transaction: AcquirerTransaction) {
    return {
      create_time: transaction.createdAtMs,
      perform_time: transaction.performedAtMs ?? 0,
      cancel_time: transaction.canceledAtMs ?? 0,
      transaction: transaction.attemptId,
      state: STATES[transaction.state],
      reason: transaction.reason,
    };
  }

  private isOver({ acquirerAtMs }: Pick<AcquirerTransaction, 'acquirerAtMs'>): boolean {
    return this.options.clock().getTime() - acquirerAtMs > TRANSACTION_LIFE_MS;
  }

  private async giveUp(transaction: AcquirerTransaction): Promise<void> {
    await cancelHold(this.db, transaction, {
      reason: REASON_TIMEOUT,
      declineReason: declineReasonOf(REASON_TIMEOUT),
      now: this.options.clock(),
    });
  }
}
