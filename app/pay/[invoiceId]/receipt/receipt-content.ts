import { totalsOf } from '#app/_ui/totals.ts';
import { type Translator, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { PaymentAttempt } from '#server/payments/types.ts';
import { brandName } from '../form/brand-mark.tsx';
import { formatZonedInstant } from '../frame/dates.ts';
import type { LoadedInvoice } from '../loader.ts';
import { refundedMinor } from '../state.ts';

export type ReceiptRow = { label: string; value: string };

/** A receipt in words, for the page and the PDF alike. */
export type ReceiptContent = {
  title: string;
  merchant: string;
  amount: string;
  /** The note above a receipt of the sandbox; null in production. */
  testNote: string | null;
  facts: ReceiptRow[];
  itemsTitle: string;
  amountTitle: string;
  items: ReceiptRow[];
  /** Sum, discount or surcharge, refunds; the last one is the total, or what is paid after refunds. */
  totals: ReceiptRow[];
  /** The note on a PDF that lacks signs of these words. */
  undrawnNote: string;
};

/** The card, or the acquirer that the buyer went to. */
function paidBy(
  { accountNames }: LoadedInvoice,
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
  { invoice, merchant, refunds }: LoadedInvoice,
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

/** The receipt of an invoice; null unless it is paid. */
export function receiptOf(loaded: LoadedInvoice, locale: Locale): ReceiptContent | null {
  const { invoice, merchant, attempts } = loaded;
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
    title: t('receipt.title'),
    merchant: merchant.name,
    amount: formatMoney(invoice.amountMinor, invoice.currency, locale),
    testNote: invoice.environment === 'sandbox' ? t('receipt.test') : null,
    facts: [
      { label: t('receipt.merchant'), value: merchant.name },
      { label: t('receipt.paidAt'), value: paidAt },
      paidBy(loaded, attempt, t),
      { label: t('receipt.description'), value: invoice.description },
      { label: t('receipt.order'), value: invoice.merchantTransactionId },
      { label: t('receipt.number'), value: invoice.id },
      { label: t('receipt.transaction'), value: attempt.authorisationId ?? attempt.id },
      ...refundRows(loaded, locale, t),
    ],
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
    undrawnNote: t('receipt.undrawn'),
  };
}
