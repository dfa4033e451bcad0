import { foldCase, foldTyped, readingsOf, storablePart } from '../../lib/typed-text.ts';
import { amountOf, readWords, type Word } from '../finding/read-words.ts';

/** The possible meanings of a text in the search box. */
export type InvoiceSearch = {
  text: string;
  /** The text as typed is one too: a merchant's ids are compared exactly. */
  transactionIds: string[];
  /** An invoice's id, or its beginning. */
  invoiceId: string | null;
  /** The end of a reusable payment link. */
  linkCode: string | null;
  cardLast4: string | null;
  amountMinor: bigint | null;
  /** Each narrows the search; none where the text is an id or an address. */
  words: Word[];
};

const CARD = /^[•*x·]*\s*(\d{4})$/i;
const PAYMENT_LINK = /\/pay\/(inv_[0-9a-z]{1,100})/;
const REUSABLE_LINK = /\/link\/([\w-]{1,100})/;

/**
 * Reads a search: the id of an invoice, its beginning, or its callback's id (`msg_…`); a payment
 * link; four digits of a card; an amount in the currency's main unit (as `readAmount`; a currency's
 * code or sign may stand beside it); words. Any text can also be a transaction id.
 *
 * @returns null for an empty text
 */
export function parseSearch(input: string): InvoiceSearch | null {
  const given = storablePart(input);
  const text = foldTyped(given);
  if (text === '') return null;
  const folded = foldCase(given);
  const id = /^(?:inv|msg)_([0-9a-z]{1,100})$/.exec(folded)?.[1];
  const invoiceId = PAYMENT_LINK.exec(folded)?.[1] ?? (id === undefined ? null : `inv_${id}`);
  // A code's case counts.
  const linkCode = REUSABLE_LINK.exec(text)?.[1] ?? null;
  return {
    text,
    transactionIds: readingsOf(given),
    invoiceId,
    linkCode,
    cardLast4: CARD.exec(text)?.[1] ?? null,
    amountMinor: amountOf(text),
    words: invoiceId === null && linkCode === null ? readWords(folded) : [],
  };
}
