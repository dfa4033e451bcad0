import { CURRENCIES, fromDecimalString, MAX_AMOUNT_MINOR } from '../../lib/money.ts';

/** What a text in the search box can mean. */
export type InvoiceSearch = {
  text: string;
  /** The text, and as it was given where that is another: of a merchant's ids nothing is trimmed. */
  transactionIds: string[];
  invoiceId: string | null;
  cardLast4: string | null;
  amountMinor: bigint | null;
};

// As the dashboard and the payment page write them, for whoever copies from there.
const CURRENCY = `(?:${CURRENCIES.join('|')}|US\\$|\\$|€|₽|сум|so[ʻ‘’'\`]m)`;
const AROUND = new RegExp(`^${CURRENCY}\\s*|\\s*${CURRENCY}$`, 'gi');
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/;
const CARD = /^[•*x·]*\s*(\d{4})$/i;

/** `1,500.00 USD`, `$1,500.00` and `1 500 сум` without what groups digits and what names the currency. */
function bareAmount(text: string): string {
  const number = text.replaceAll(AROUND, '').replaceAll(/(?<=\d)\s(?=\d)/g, '');
  return THOUSANDS.test(number) ? number.replaceAll(',', '') : number;
}

/**
 * Reads a search: the id of an invoice or of its callback (`msg_…`), four digits of a
 * card, an amount in the currency's main unit (`15` and `15.00` are 1500 minor units;
 * spaces between digits, a currency's code or sign and either decimal sign will do).
 * Whatever else it is, it can be a transaction id.
 *
 * @returns null for an empty text
 */
export function parseSearch(input: string): InvoiceSearch | null {
  // PostgreSQL's text holds no NUL.
  const given = input.replaceAll('\0', '');
  const text = given.trim();
  if (text === '') return null;
  const id = /^(?:inv|msg)_([0-9a-z]{1,100})$/.exec(text)?.[1];
  const amountMinor = fromDecimalString(bareAmount(text));
  return {
    text,
    transactionIds: [...new Set([text, given])],
    invoiceId: id === undefined ? null : `inv_${id}`,
    cardLast4: CARD.exec(text)?.[1] ?? null,
    amountMinor: amountMinor !== null && amountMinor <= MAX_AMOUNT_MINOR ? amountMinor : null,
  };
}
