import { z } from 'zod';
import { findOwnInvoice } from '../../auth/own-invoice.ts';
import { countTry } from '../../auth/throttle.ts';
import { readCallback } from '../../callbacks/data.ts';
import { MAX_ATTEMPTS } from '../../callbacks/schedule.ts';
import { CALLBACK_STATES } from '../../callbacks/types.ts';
import {
  cancelByStaff,
  cancelEachByStaff,
  whyNotCanceled,
} from '../../invoices/cancel-by-staff.ts';
import { readInvoiceDetail } from '../../invoices/detail.ts';
import { narrow } from '../../invoices/finding/narrow.ts';
import { listAndCount, listInvoices } from '../../invoices/lists/list.ts';
import { LIST_DAYS } from '../../invoices/lists/list-types.ts';
import { INVOICE_STATUSES, MAX_SEARCH_LENGTH } from '../../invoices/types.ts';
import { GatewayError } from '../../lib/errors.ts';
import { isZone } from '../../lib/formats.ts';
import { CURRENCIES } from '../../lib/money.ts';
import { readLinkUse } from '../../links/data.ts';
import { accountNames } from '../../merchants/acquirer-accounts.ts';
import { listAuditOf } from '../../merchants/audit-list.ts';
import { invoiceUrl, receiptUrl } from '../../payments/addresses.ts';
import { countAttempts, listAttempts, MAX_ATTEMPTS_READ } from '../../payments/data.ts';
import { listDisputesOfInvoice } from '../../payments/disputes/disputes.ts';
import { listTransactionsOfInvoice } from '../../payments/holds/acquirer-transactions.ts';
import { readContact } from '../../receipts/contacts.ts';
import { listReceiptEmails, resendReceipt } from '../../receipts/emails.ts';
import { readInvoiceRefunds } from '../../refunds/invoice-refunds.ts';
import { sumList } from '../../register/list-totals.ts';
import { settings } from '../../settings/settings.ts';
import { isAllowed } from '../../staff/roles.ts';
import { deedsInWords } from '../deeds.ts';
import { router, staffProcedure } from '../init.ts';
import { bound, checkRows, id, invoiceId, rows, several, text } from '../inputs.ts';
import { noteExport } from '../note-export.ts';
import { BEGINNINGS, timelineOf } from '../timeline.ts';

const amountMinor = z.int().min(0).nullable().default(null);

const filters = z.object({
  statuses: z.array(z.enum(INVOICE_STATUSES)).max(4).default([]),
  currency: z.enum(CURRENCIES).nullable().default(null),
  minAmountMinor: amountMinor,
  maxAmountMinor: amountMinor,
  by: z.enum(LIST_DAYS).default('created'),
  fromMs: bound,
  untilMs: bound,
  callbackState: z.enum(CALLBACK_STATES).nullable().default(null),
  linkId: id.nullable().default(null),
  search: text(MAX_SEARCH_LENGTH).default(''),
  /** The zone in which the times of a search are read. */
  timeZone: z.string().refine(isZone).default('UTC'),
});

type Filters = z.output<typeof filters>;

const list = z.object({
  filters: filters.prefault({}),
  cursor: text(255).nullable().default(null),
  limit: rows,
  isOldestFirst: z.boolean().default(false),
  isCounted: z.boolean().default(false),
});

const one = z.object({ invoiceId });

// More than anybody clicks: each sends an e-mail to an address of the person's choice.
const RESEND_LIMIT = { max: 120, windowMs: 10 * 60 * 1000 };

const toBigInt = (value: number | null): bigint | null => (value === null ? null : BigInt(value));

/** The filters as the lists take them. */
function exact({ timeZone, minAmountMinor, maxAmountMinor, ...rest }: Filters, now: Date) {
  const amounts = {
    minAmountMinor: toBigInt(minAmountMinor),
    maxAmountMinor: toBigInt(maxAmountMinor),
  };
  return narrow({ ...rest, ...amounts }, { now, timeZone });
}

export const invoicesRouter = router({
  /**
   * A page of the list; `nextCursor` leads to the next one. A file's pages leave nothing out.
   * `total` is the whole count, up to a limit, where it was requested.
   */
  list: staffProcedure('invoice.read')
    .input(list)
    .query(async ({ ctx: { db, tenant, ...ctx }, input: { isCounted, ...input } }) => {
      checkRows(ctx, input.limit);
      const filters = exact(input.filters, ctx.now);
      const page = { ...input, filters, findsBuyers: isAllowed(ctx.merchant, 'business.read') };
      if (isCounted) return await listAndCount(db, tenant, page);
      const isWhole = ctx.readsFile ?? false;
      return { ...(await listInvoices(db, tenant, { ...page, isWhole })), total: null };
    }),

  /** What the payments of the whole list come to, by currency; null if that takes too long. */
  totals: staffProcedure('business.read')
    .input(z.object({ filters: filters.prefault({}) }))
    .query(({ ctx: { db, tenant, now }, input }) => sumList(db, tenant, exact(input.filters, now))),

  /** Records that the list is exported; called before the file is sent. */
  noteExport: staffProcedure('business.read')
    .input(z.object({ filters }))
    .mutation(({ ctx: { db, tenant, actor, now }, input: { filters: given } }) => {
      const by = given.by === 'created' ? null : given.by;
      const narrowing = { ...given, by, timeZone: null };
      return noteExport(db, tenant, { action: 'invoice.export', narrowing, actor, now });
    }),

  /** Everything about one invoice, with a single timeline. */
  read: staffProcedure('invoice.read')
    .input(one)
    .query(async ({ ctx: { db, tenant, now }, input: { invoiceId } }) => {
      const detail = await readInvoiceDetail(db, tenant, invoiceId, { now });
      if (!detail) throw new GatewayError('invoice_not_found');
      // One after the other: all at once would take connections that the API waits for.
      const payments = await listAttempts(db, invoiceId);
      const accountIds = payments.flatMap(({ accountId }) => accountId ?? []);
      const names = await accountNames(db, [...new Set(accountIds)]);
      const transactions =
        accountIds.length > 0 ? await listTransactionsOfInvoice(db, invoiceId) : [];
      const disputes = accountIds.length > 0 ? await listDisputesOfInvoice(db, invoiceId) : [];
      const callback = await readCallback(db, tenant, invoiceId, { now });
      const audit = await listAuditOf(db, tenant, { type: 'invoice', id: invoiceId }, BEGINNINGS);
      const isPaid = detail.invoice.status === 'PAID';
      const emails = isPaid ? await listReceiptEmails(db, invoiceId) : [];
      const contact = isPaid ? await readContact(db, invoiceId) : null;
      const callbackAttempts = callback?.attempts ?? [];
      const refunds = await readInvoiceRefunds(db, tenant, detail.invoice);
      const linkUse = await readLinkUse(db, tenant, invoiceId);
      const isCut = payments.length === MAX_ATTEMPTS_READ;
      return {
        invoice: detail.invoice,
        callback: callback && { ...callback.callback, stepCount: MAX_ATTEMPTS },
        timeline: timelineOf({
          detail,
          payments,
          accountNames: names,
          transactions,
          disputes,
          callbackAttempts,
          refunds: refunds?.refunds ?? [],
          emails,
          audit,
        }),
        isDisputed: disputes.some(({ closedAtMs }) => closedAtMs === null),
        /** Null unless it is paid. */
        refunds,
        /** Null unless a buyer ordered it at a reusable link. */
        linkUse,
        /** The timeline has only the newest of them. */
        paymentCount: isCut ? await countAttempts(db, invoiceId) : payments.length,
        invoiceUrl: invoiceUrl(invoiceId),
        receiptUrl: isPaid ? receiptUrl(invoiceId) : null,
        /** The buyer's address, empty without one; null where no confirmation can be sent. */
        receiptEmail: isPaid && settings().mail.smtpUrl !== null ? (contact?.address ?? '') : null,
      };
    }),

  /**
   * The place of an invoice in any environment of any of the person's own merchants, or null: for
   * links from colleagues.
   */
  find: staffProcedure('invoice.read')
    .input(one)
    .query(({ ctx: { db, session }, input: { invoiceId } }) =>
      findOwnInvoice(db, session, invoiceId),
    ),

  /** Cancels a pending invoice for good; a callback tells the merchant's server. */
  cancel: staffProcedure('invoice.cancel')
    .input(one)
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { invoiceId } }) => {
      const result = await cancelByStaff(db, tenant, invoiceId, { actor, now });
      const refusal = whyNotCanceled(result);
      if (refusal !== null) throw new GatewayError(refusal);
    }),

  /** Cancels each of these that is pending; says of every other why it is not cancelled. */
  cancelEach: staffProcedure('invoice.cancel')
    .input(z.object({ invoiceIds: several(invoiceId) }))
    .mutation(async ({ ctx: { db, tenant, actor, now, inWords }, input: { invoiceIds } }) =>
      deedsInWords(
        invoiceIds,
        await cancelEachByStaff(db, tenant, invoiceIds, { actor, now }),
        inWords,
      ),
    ),

  /** Sends the payment confirmation again, to the buyer's address or a corrected one. */
  resendReceipt: staffProcedure('receipt.resend')
    .input(z.object({ invoiceId, email: text(1_000) }))
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { invoiceId, email } }) => {
      if (!(await countTry(db, `receipt resends ${tenant.merchantId}`, RESEND_LIMIT, now))) {
        throw new GatewayError('too_many_receipts');
      }
      await resendReceipt(db, tenant, { invoiceId, typed: email, actor, now });
    }),
});
