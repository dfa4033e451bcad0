import { formatZonedInstant } from '../i18n/dates.ts';
import { type Translator, translatorOf } from '../i18n/translator.ts';
import type { Invoice } from '../invoices/types.ts';
import type { Locale } from '../lib/locales.ts';
import { formatMoney } from '../lib/money.ts';
import { taxNumberKind } from '../lib/tax-number.ts';
import { totalsOf } from '../lib/totals.ts';
import type { Storefront } from '../merchants/storefront.ts';
import { brandName } from '../payments/brand.ts';
import type { PaymentAttempt } from '../payments/types.ts';
import { type Refund, refundedMinor } from '../refunds/types.ts';
import { type SellerLink, sellerLinks } from './seller-links.ts';

/** What a receipt is made of. */
export type ReceiptData = {
  invoice: Invoice;
  merchant: Storefront;
  attempts: readonly PaymentAttempt[];
  /** The names of the accounts at which payment was tried, by account id. */
  accountNames: Readonly<Record<string, string>>;
  /** Those that have not failed, the oldest first. */
  refunds: readonly Refund[];
  /** The tax service's page of the fiscal receipt; null where the acquirer has told none. */
  fiscalUrl: string | null;
};

export type ReceiptRow = { label: string; value: string };

/** A receipt, or the confirmation of a payment without a fiscal one, in words, for the page and the PDF alike. */
export type ReceiptContent = {
  title: string;
  merchant: string;
  amount: string;
  /** The note above a receipt of the sandbox; null in production. */
  testNote: string | null;
  facts: ReceiptRow[];
  fiscal: { title: string; text: string; codeAlt: string; url: string } | null;
  itemsTitle: string;
  amountTitle: string;
  items: ReceiptRow[];
  /** Sum, discount or surcharge, refunds; the last one is the total, or what is paid after refunds. */
  totals: ReceiptRow[];
  /** How to reach the merchant, and their own pages. */
  links: SellerLink[];
  linksTitle: string;
  /** The note on a PDF that lacks signs of these words. */
  undrawnNote: string;
};

/** The card, or the acquirer that the buyer went to. */
function paidBy(
  { accountNames }: ReceiptData,
  { accountId, cardBrand, cardLast4 }: PaymentAttempt,
  t: Translator<'pay'>,
): ReceiptRow {
  if (accountId !== null) {
    return { label: t('receipt.method'), value: accountNames[accountId] ?? accountId };
  }
  const label = t('receipt.card');
  return { label, value: `${brandName(cardBrand ?? '', label)} •••• ${cardLast4}` };
}

/** Each refund with its date and its number: the receipt is the refund's as well. */
function refundRows(
  { invoice, merchant, refunds }: ReceiptData,
  locale: Locale,
  t: Translator<'pay'>,
): ReceiptRow[] {
  return refunds
    .filter(({ status }) => status === 'SUCCEEDED')
    .flatMap(({ id, amountMinor, updatedAtMs, reference }) => {
      const at = formatZonedInstant(updatedAtMs, locale, merchant.timeZone);
      const value = `${formatMoney(amountMinor, invoice.currency, locale)}, ${at}`;
      return [
        { label: t('receipt.refunded'), value },
        { label: t('receipt.refundReference'), value: reference ?? id },
      ];
    });
}

/** Who gets the money, as far as the merchant tells it. */
function sellerRows({ seller }: Storefront, t: Translator<'pay'>): ReceiptRow[] {
  const { legalName, taxNumber, legalAddress } = seller;
  const rows: ReceiptRow[] = [];
  if (legalName) rows.push({ label: t('receipt.legalName'), value: legalName });
  if (taxNumber) {
    const label = t('receipt.taxNumber', { kind: taxNumberKind(taxNumber) });
    rows.push({ label, value: taxNumber });
  }
  if (legalAddress) rows.push({ label: t('receipt.address'), value: legalAddress });
  return rows;
}

/** A document about a payment is called a receipt only where a fiscal one exists. */
export function receiptTitle(
  { fiscalUrl }: Pick<ReceiptData, 'fiscalUrl'>,
  locale: Locale,
): string {
  return translatorOf(locale, 'pay.receipt')(fiscalUrl === null ? 'confirmation' : 'title');
}

/** The receipt of an invoice; null unless it is paid. */
export function receiptOf(loaded: ReceiptData, locale: Locale): ReceiptContent | null {
  const { invoice, merchant, attempts, fiscalUrl } = loaded;
  const attempt = attempts.find(({ id }) => id === invoice.captureAttemptId);
  if (invoice.status !== 'PAID' || !attempt) return null;

  const t = translatorOf(locale, 'pay');
  const { itemsMinor, differenceMinor, columnMinor } = totalsOf(invoice);
  const refunded = refundedMinor(loaded.refunds, 'SUCCEEDED');
  const column = [...columnMinor, refunded];
  const money = (minor: bigint) => formatMoney(minor, invoice.currency, locale, column);
  const differs =
    differenceMinor < 0n
      ? { label: t('summary.discount'), value: `−${money(-differenceMinor)}` }
      : { label: t('summary.surcharge'), value: `+${money(differenceMinor)}` };
  const paidAt = formatZonedInstant(invoice.statusChangedAtMs, locale, merchant.timeZone);
  return {
    title: receiptTitle(loaded, locale),
    merchant: merchant.name,
    amount: formatMoney(invoice.amountMinor, invoice.currency, locale),
    testNote: invoice.environment === 'sandbox' ? t('receipt.test') : null,
    facts: [
      { label: t('receipt.merchant'), value: merchant.name },
      ...sellerRows(merchant, t),
      { label: t('receipt.paidAt'), value: paidAt },
      paidBy(loaded, attempt, t),
      { label: t('receipt.description'), value: invoice.description },
      { label: t('receipt.order'), value: invoice.merchantTransactionId },
      { label: t('receipt.number'), value: invoice.id },
      { label: t('receipt.transaction'), value: attempt.authorisationId ?? attempt.id },
      ...refundRows(loaded, locale, t),
    ],
    fiscal:
      fiscalUrl === null
        ? null
        : {
            title: t('receipt.fiscal'),
            text: t('receipt.fiscalText'),
            codeAlt: t('receipt.fiscalCode'),
            url: fiscalUrl,
          },
    itemsTitle: t('receipt.item'),
    amountTitle: t('receipt.amount'),
    items: invoice.positions.map(({ title, amountMinor }) => ({
      label: title,
      value: money(BigInt(amountMinor)),
    })),
    totals: [
      ...(differenceMinor === 0n
        ? []
        : [{ label: t('summary.itemsTotal'), value: money(itemsMinor) }, differs]),
      { label: t('summary.total'), value: money(invoice.amountMinor) },
      ...(refunded === 0n
        ? []
        : [
            { label: t('receipt.refunded'), value: `−${money(refunded)}` },
            { label: t('receipt.afterRefunds'), value: money(invoice.amountMinor - refunded) },
          ]),
    ],
    links: sellerLinks(merchant.seller, t),
    linksTitle: t('receipt.support'),
    undrawnNote: t('receipt.undrawn'),
  };
}
