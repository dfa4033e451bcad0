import { cache } from 'react';
import { getPool } from '#server/db/pool.ts';
import { readInvoiceForBuyer } from '#server/invoices/data.ts';
import { isOpenedByPerson, noteOpening } from '#server/invoices/reading/openings.ts';
import type { Invoice } from '#server/invoices/types.ts';
import { buyerEmailOf } from '#server/lib/buyer-email.ts';
import { type Locale, languageOf } from '#server/lib/locales.ts';
import { withTimeout } from '#server/lib/timeout.ts';
import { accountNames } from '#server/merchants/acquirer-accounts.ts';
import { readStorefront, type Storefront } from '#server/merchants/storefront.ts';
import { log } from '#server/observability/log.ts';
import { methodsOf, type PaymentMethod } from '#server/payments/accounts/methods.ts';
import { invoiceUrl, receiptUrl } from '#server/payments/addresses.ts';
import { nextTryAtMs } from '#server/payments/card-testing.ts';
import { listAttempts } from '#server/payments/data.ts';
import { findFiscalUrl } from '#server/payments/holds/acquirer-transactions.ts';
import { testCardsOf } from '#server/payments/providers/registry.ts';
import {
  challengeEndOf,
  type TestCard,
  testCardEnding,
} from '#server/payments/providers/sandbox/test-cards.ts';
import { resumeOnReturn } from '#server/payments/resume.ts';
import { startPayment } from '#server/payments/start.ts';
import type { PaymentAttempt } from '#server/payments/types.ts';
import { keepContact } from '#server/receipts/contacts.ts';
import { listRefundsForBuyer } from '#server/refunds/data.ts';
import type { Refund } from '#server/refunds/types.ts';
import { settings } from '#server/settings/settings.ts';
import { type PayState, stateOf, versionOf } from './state.ts';
import { wayToChallenge } from './way-to-challenge.ts';

/** A buyer gets an answer after this long, if only that it takes longer; the work goes on. */
export const WAIT_MS = 8_000;

export type LoadedInvoice = {
  kind: 'invoice';
  invoice: Invoice;
  merchant: Storefront;
  /** The list starts with the newest. */
  attempts: PaymentAttempt[];
  /** In the merchant's order; the sandbox's card form comes last. */
  methods: PaymentMethod[];
  /** The names of the accounts at which payment was tried, by account id. */
  accountNames: Record<string, string>;
  /** Those that have not failed, the oldest first. */
  refunds: Refund[];
  /** The tax service's page of the fiscal receipt; null where there is none. */
  fiscalUrl: string | null;
  /** Whether the buyer can have a confirmation by e-mail. */
  offersEmail: boolean;
  state: PayState;
  /** An open page compares this with the state route's answer. */
  version: string;
  /** The server's clock at the time of the read. */
  nowMs: number;
};

export type Loaded = LoadedInvoice | { kind: 'unknown' } | { kind: 'trouble' };

/** Whether a text has the shape of an invoice's id; the invoice may not exist. */
export function isInvoiceId(text: string): boolean {
  return /^inv_[0-9a-z]{35}$/.test(text);
}

/** Whether a text has the shape of a payment attempt's id. */
export function isAttemptId(text: string): boolean {
  return /^pay_[0-9a-z]{35}$/.test(text);
}

/** The address of an invoice's page as buyers know it; null for a text that is no invoice's id. */
export function pageAddress(invoiceId: string): string | null {
  return isInvoiceId(invoiceId) ? invoiceUrl(invoiceId) : null;
}

/** The address of a receipt's page as buyers know it. */
export function receiptAddress(invoiceId: string): string {
  return receiptUrl(invoiceId);
}

async function read(invoiceId: string): Promise<Loaded> {
  const db = getPool();
  const now = new Date();
  const invoice = await readInvoiceForBuyer(db, invoiceId, { now });
  if (!invoice) return { kind: 'unknown' };
  const [merchant, rows, methods] = await Promise.all([
    readStorefront(db, invoice.merchantId),
    listAttempts(db, invoice.id),
    methodsOf(db, invoice),
  ]);
  if (!merchant) return { kind: 'unknown' };
  const accountIds = rows.flatMap(({ accountId }) => (accountId === null ? [] : [accountId]));
  const names = await accountNames(db, [...new Set(accountIds)]);
  const refunds = invoice.status === 'PAID' ? await listRefundsForBuyer(db, invoice.id) : [];
  const paidBy =
    invoice.status === 'PAID' ? rows.find(({ id }) => id === invoice.captureAttemptId) : null;
  const fiscalUrl = paidBy?.accountId ? await findFiscalUrl(db, paidBy.id) : null;
  const { publicUrl, mail } = settings();
  const attempts = rows.map((row) => ({
    ...row,
    challengeUrl: row.challengeUrl && wayToChallenge(row, { scripted: true, publicUrl }),
  }));
  const state = stateOf(invoice, attempts, {
    hasAcquirer: methods.length > 0,
    nextTryAtMs: nextTryAtMs(attempts, now),
  });
  return {
    kind: 'invoice',
    invoice,
    merchant,
    attempts,
    methods,
    accountNames: names,
    refunds,
    fiscalUrl,
    offersEmail: mail.smtpUrl !== null,
    state,
    version: versionOf(state, attempts),
    nowMs: now.getTime(),
  };
}

/**
 * Everything that the pages of an invoice show; read once for a request.
 *
 * A failure is a state (`trouble`), not an exception: Next's error page needs
 * JavaScript, and a buyer without it must not face an empty page.
 */
export const loadInvoice = cache(async (invoiceId: string): Promise<Loaded> => {
  if (!isInvoiceId(invoiceId)) return { kind: 'unknown' };
  try {
    return await read(invoiceId);
  } catch (error) {
    log().error({ err: error, invoiceId }, 'the payment page could not be read');
    return { kind: 'trouble' };
  }
});

/** Notes that a person opened the page of an invoice that waits for its buyer; never fails. */
export async function noteView({ invoice, nowMs }: LoadedInvoice, headers: Headers): Promise<void> {
  if (invoice.status !== 'PENDING' || !isOpenedByPerson(headers)) return;
  try {
    await noteOpening(getPool(), invoice.id, new Date(nowMs));
  } catch (error) {
    log().warn(
      { err: error, invoiceId: invoice.id },
      'the opening of a payment page was not noted',
    );
  }
}

/** The test cards that the form offers; null where real ones pay. */
export function testCards({ invoice }: LoadedInvoice): readonly TestCard[] | null {
  return testCardsOf(invoice.environment);
}

/** The fixed end of a challenge, by its card; null where the buyer decides. */
export function challengeEnd({ cardLast4 }: PaymentAttempt): 'fail' | 'leave' | null {
  const card = testCardEnding(cardLast4 ?? '');
  return card ? challengeEndOf(card.outcome) : null;
}

/**
 * Goes on with the payment of a buyer who is back from a challenge, before the page is shown. If
 * that fails, the page shows the state of the rows, and recovery finishes the rest.
 */
export async function comeBack(attemptId: string, requestId: string): Promise<void> {
  if (!isAttemptId(attemptId)) return;
  try {
    const actor = { type: 'buyer', requestId } as const;
    const work = resumeOnReturn(getPool(), attemptId, { clock: () => new Date(), actor });
    await withTimeout(WAIT_MS, work);
  } catch (error) {
    log().error({ err: error, attemptId }, 'a payment could not go on after its challenge');
  }
}

/** Keeps where the buyer wants the confirmation sent, where e-mails can be sent at all. */
export async function rememberEmail(
  invoiceId: string,
  address: string | null,
  locale: Locale,
): Promise<void> {
  if (settings().mail.smtpUrl === null) return;
  await keepContact(getPool(), invoiceId, address === null ? null : { address, locale });
}

/** The cookie with the e-mail address that the buyer last typed for an invoice's receipt. */
export const BUYER_EMAIL = 'buyer_email';

/**
 * Begins a payment at the acquirer that the buyer has chosen.
 *
 * @returns the address for the redirect: the acquirer's, or the payment page's with its message
 */
export async function begin(choice: {
  invoiceId: string;
  accountId: string;
  /** As the buyer typed it; null without a field for it. */
  email: string | null;
  locale: Locale;
  requestId: string;
}): Promise<string> {
  const { invoiceId, accountId, email, locale, requestId } = choice;
  if (!isInvoiceId(invoiceId)) return '/pay/unknown';
  const stays = (outcome: string) =>
    `/pay/${invoiceId}?${new URLSearchParams({ begun: outcome, method: accountId })}`;
  const buyerEmail = email && buyerEmailOf(email);
  if (email?.trim() && !buyerEmail) return stays('email_wrong');
  try {
    if (email !== null) await rememberEmail(invoiceId, buyerEmail || null, locale);
    const started = await startPayment(
      getPool(),
      { invoiceId, accountId, buyerEmail: buyerEmail || null },
      { locale: languageOf(locale), clock: () => new Date(), actor: { type: 'buyer', requestId } },
    );
    if (started.outcome === 'elsewhere') return started.url;
    return stays(started.outcome);
  } catch (error) {
    log().error({ err: error, invoiceId, accountId }, 'a payment could not begin');
    return stays('refused');
  }
}
