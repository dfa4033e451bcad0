import { CURRENCIES, MAX_AMOUNT_MINOR, readAmount } from '../../lib/money.ts';
import { foldCase, foldTyped, readingsOf, storablePart } from '../../lib/typed-text.ts';

/** The possible meanings of a text in the search box. */
export type InvoiceSearch = {
  text: string;
  /** The text as typed is one too: a merchant's ids are compared exactly. */
  transactionIds: string[];
  invoiceId: string | null;
  cardLast4: string | null;
  amountMinor: bigint | null;
};

// The dashboard's and the payment page's signs, folded, for a copied text.
const CURRENCY = `(?:${CURRENCIES.join('|')}|US\\$|\\$|€|₽|сум|сўм|so'm)`;
const AROUND = new RegExp(`^${CURRENCY}\\s*|\\s*${CURRENCY}$`, 'gi');
const CARD = /^[•*x·]*\s*(\d{4})$/i;

/**
 * Reads a search: the id of an invoice or of its callback (`msg_…`), four digits of a card, an
 * amount in the currency's main unit (as `readAmount`; a currency's code or sign may stand beside
 * it). Any text can also be a transaction id.
 *
 * @returns null for an empty text
 */
export function parseSearch(input: string): InvoiceSearch | null {
  const given = storablePart(input);
  const text = foldTyped(given);
  if (text === '') return null;
  const id = /^(?:inv|msg)_([0-9a-z]{1,100})$/.exec(foldCase(given))?.[1];
  const amountMinor = readAmount(text.replaceAll(AROUND, ''));
  return {
    text,
    transactionIds: readingsOf(given),
    invoiceId: id === undefined ? null : `inv_${id}`,
    cardLast4: CARD.exec(text)?.[1] ?? null,
    amountMinor: amountMinor !== null && amountMinor <= MAX_AMOUNT_MINOR ? amountMinor : null,
  };
}
