import type { Pool } from 'pg';
import { readInvoiceForBuyer } from '../../../invoices/data.ts';
import { toDecimalString } from '../../../lib/money.ts';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import { log } from '../../../observability/log.ts';
import {
  type AcquirerTransaction,
  addDetail,
  findTransaction,
  findTransactionOfAttempt,
} from '../../holds/acquirer-transactions.ts';
import { cancelHold, openHold, performHold } from '../../holds/holds.ts';
import type {
  HookActions,
  HookAnswer,
  HookRequest,
  InboundProvider,
  LinkRequest,
} from '../../provider.ts';
import type { PaymentAttempt } from '../../types.ts';
import { askPaymentStatus, reversePayment } from './merchant-api.ts';
import {
  amountIn,
  type ClickCall,
  type ClickError,
  clickAnswer,
  clickLink,
  isSigned,
  parseClickCall,
} from './protocol.ts';
import { CANCELED, ClickRefunds } from './refunds.ts';

const PREPARE = '0';
const COMPLETE = '1';

type Options = {
  account: OpenAccount;
  payUrl: string;
  apiUrl: string;
  clock: () => Date;
  receiptUrl: (invoiceId: string) => string;
};

type Outcome = { error: ClickError; number?: number | null };

type Actions = Pick<HookActions, 'takeRefund'>;

/**
 * Click's SHOP API: the buyer pays at Click, which calls us by Prepare and by Complete. A Prepare
 * reserves the invoice, a Complete tells that the money was taken.
 */
export class Click implements InboundProvider {
  readonly kind = 'inbound';
  readonly name = 'click';
  readonly refunds: ClickRefunds;
  private readonly db: Pool;
  private readonly options: Options;

  constructor(db: Pool, options: Options) {
    this.db = db;
    this.options = options;
    this.refunds = new ClickRefunds(db, options);
  }

  link({ invoiceId, amountMinor, returnUrl }: LinkRequest): string {
    const { account, payUrl } = this.options;
    const { service_id: serviceId = '', merchant_id: merchantId = '' } = account.credentials;
    const amount = toDecimalString(amountMinor, 'UZS');
    return clickLink(payUrl, { serviceId, merchantId, invoiceId, amount, returnUrl });
  }

  async handle(request: HookRequest, actions: Actions): Promise<HookAnswer> {
    const { call, isWhole } = parseClickCall(request.body);
    const name = call.action === COMPLETE ? 'merchant_confirm_id' : 'merchant_prepare_id';
    let outcome: Outcome;
    try {
      outcome = await this.answer(call, { isWhole, actions });
    } catch (error) {
      log().error({ err: error, account: this.options.account.id }, 'click');
      outcome = { error: 'own' };
    }
    const ours = outcome.number === undefined ? null : ({ name, number: outcome.number } as const);
    return {
      status: 200,
      contentType: 'application/json; charset=UTF-8',
      body: clickAnswer(call, outcome.error, ours),
      fault: outcome.error === 'sign' ? 'wrong_signature' : null,
    };
  }

  /**
   * Asks Click about a payment that it left open, and returns money that it took after the invoice
   * could no longer be paid.
   */
  async lookAfter({ id }: PaymentAttempt): Promise<'ended' | 'open'> {
    const transaction = await findTransactionOfAttempt(this.db, id);
    if (!transaction?.paymentNumber || transaction.state === 'performed') return 'ended';
    const { account, apiUrl, clock } = this.options;
    const call = { account, apiUrl, paymentNumber: transaction.paymentNumber, now: clock() };
    const status = await askPaymentStatus(call);
    if (status === 'open') return 'open';
    if (transaction.state === 'canceled' && status === 'paid') {
      await reversePayment(call);
      await addDetail(this.db, id, 'reversed_at_ms', clock().getTime());
    }
    // A paid payment waits for Click's own call, which comes again until it is answered.
    if (transaction.state === 'created' && status === 'paid') return 'open';
    if (transaction.state === 'created') await this.giveUp(transaction, { reason: CANCELED });
    return 'ended';
  }

  /** The order of the checks is that of Click's own server. */
  private async answer(
    call: ClickCall,
    { isWhole, actions }: { isWhole: boolean; actions: Actions },
  ): Promise<Outcome> {
    const { service_id: serviceId, secret_key: secretKey = '' } = this.options.account.credentials;
    if (!isWhole || call.service_id !== serviceId) return { error: 'request' };
    if (!isSigned(call, secretKey)) return { error: 'sign' };
    if (call.action === PREPARE) return await this.prepare(call);
    if (call.action === COMPLETE) return await this.complete(call, actions);
    return { error: 'action' };
  }

  private async prepare(call: ClickCall): Promise<Outcome> {
    const { account, clock } = this.options;
    const now = clock();
    const before = await findTransaction(this.db, account.id, call.click_trans_id);
    if (before) return this.preparedBefore(before);
    const invoice = await readInvoiceForBuyer(this.db, call.merchant_trans_id, { now });
    const isOwn =
      invoice?.merchantId === account.merchantId && invoice.environment === account.environment;
    if (!invoice || !isOwn || invoice.currency !== 'UZS') return { error: 'invoice' };
    if (invoice.status === 'PAID') return { error: 'paid' };
    if (amountIn(call) !== invoice.amountMinor) return { error: 'amount' };
    if (invoice.status !== 'PENDING' || Number(call.error) < 0) return { error: 'canceled' };
    const opened = await openHold(
      this.db,
      {
        account,
        invoiceId: invoice.id,
        acquirerId: call.click_trans_id,
        acquirerAtMs: now.getTime(),
        amountMinor: invoice.amountMinor,
        currency: invoice.currency,
        paymentNumber: call.click_paydoc_id,
      },
      now,
    );
    // Another payment has the invoice: Click may come again when that one has ended.
    return opened ? this.preparedBefore(opened) : { error: 'request' };
  }

  private preparedBefore({ state, number }: AcquirerTransaction): Outcome {
    if (state === 'performed') return { error: 'paid' };
    return state === 'created' ? { error: 'success', number } : { error: 'canceled' };
  }

  private async complete(call: ClickCall, actions: Actions): Promise<Outcome> {
    const { account, clock, receiptUrl } = this.options;
    const before = await findTransaction(this.db, account.id, call.click_trans_id);
    const isKnown =
      before?.invoiceId === call.merchant_trans_id &&
      String(before.number) === call.merchant_prepare_id;
    if (!before || !isKnown) return { error: 'transaction' };
    const clickError = Number(call.error);
    if (clickError < 0) return await this.refused(before, clickError, actions);
    if (before.state === 'performed') return { error: 'paid' };
    if (amountIn(call) !== before.amountMinor) return { error: 'amount' };
    if (before.state !== 'created') return { error: 'canceled' };
    const extraData = {
      provider: this.name,
      transaction_id: before.paymentNumber ?? before.acquirerId,
      receipt_url: receiptUrl(before.invoiceId),
      account_id: account.id,
    };
    const now = clock();
    const after = await performHold(this.db, before, { extraData, actor: { type: 'buyer' }, now });
    if (after.state === 'performed') return { error: 'success', number: after.number };
    // The invoice ended after the hold did. Click is asked whether it kept the money anyway.
    if (after.state === 'created')
      await this.giveUp(after, { reason: CANCELED, isToBeAsked: true });
    return { error: 'canceled' };
  }

  /** Click took no money, or took it back. */
  private async refused(
    transaction: AcquirerTransaction,
    reason: number,
    actions: Actions,
  ): Promise<Outcome> {
    if (transaction.state === 'created') await this.giveUp(transaction, { reason });
    if (transaction.state === 'performed') {
      await this.takeReversal(transaction, reason, actions);
    }
    return { error: 'canceled' };
  }

  /**
   * A payment that was completed is given up. Click's tests want −9, and its text says nothing of the
   * money: Click is asked, and a person has to look unless it says that the money went back.
   */
  private async takeReversal(
    transaction: AcquirerTransaction,
    reason: number,
    { takeRefund }: Actions,
  ): Promise<void> {
    const { attemptId, invoiceId, acquirerId, amountMinor } = transaction;
    const { account, apiUrl, clock } = this.options;
    const paymentNumber = transaction.paymentNumber ?? acquirerId;
    const asked = { account, apiUrl, paymentNumber, now: clock() };
    const status = await askPaymentStatus(asked).catch(() => 'open');
    if (status !== 'failed') {
      log().error({ attemptId, invoiceId, reason }, 'click gives up a payment that was completed');
      await addDetail(this.db, attemptId, 'given_up_after_completion', reason);
      return;
    }
    await takeRefund({
      state: 'succeeded',
      refundId: null,
      reference: paymentNumber,
      transactionId: paymentNumber,
      amountMinor,
      currency: 'UZS',
      reason: `Complete, error ${reason}`,
      failureReason: null,
    });
    await this.giveUp(transaction, { reason });
  }

  private async giveUp(
    transaction: AcquirerTransaction,
    why: { reason: number; isToBeAsked?: boolean },
  ): Promise<void> {
    const now = this.options.clock();
    await cancelHold(this.db, transaction, { ...why, declineReason: 'generic_decline', now });
  }
}
