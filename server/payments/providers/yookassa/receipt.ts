import type { Currency } from '../../../lib/money.ts';
import type { AcquirerCredentials } from '../../../merchants/acquirer-accounts.ts';
import type { StartRequest } from '../../start-request.ts';
import { toAmount } from './api.ts';

/** YooKassa's longest description of a payment, and of a line. */
const DESCRIPTION_LENGTH = 128;
const MAX_LINES = 100;

/** A text within YooKassa's length; a character is never cut in two. */
export const described = (text: string, length = DESCRIPTION_LENGTH): string =>
  [...text].slice(0, length).join('');

type Line = { title: string; amountMinor: bigint };

/** Whether YooKassa makes the account's receipts (54-FZ): then each payment needs a buyer's e-mail. */
export function sendsReceipts({ vat_code }: AcquirerCredentials): boolean {
  return vat_code !== undefined;
}

/**
 * The `receipt` of a payment or of a part of it that is given back (54-FZ); nothing where the account
 * sends none.
 *
 * @param lines one line of another sum stands for lines that do not add up to `amountMinor`
 */
export function receiptOf(
  credentials: AcquirerCredentials,
  { buyerEmail, currency }: { buyerEmail: string | null; currency: Currency },
  lines: readonly Line[],
): { receipt?: object } {
  const { vat_code, tax_system_code, payment_subject, payment_mode } = credentials;
  if (vat_code === undefined || buyerEmail === null) return {};
  const items = lines.map(({ title, amountMinor }) => ({
    description: described(title),
    quantity: '1.00',
    amount: toAmount(amountMinor, currency),
    vat_code: Number(vat_code),
    payment_subject,
    payment_mode,
  }));
  const taxes = tax_system_code === undefined ? {} : { tax_system_code: Number(tax_system_code) };
  return { receipt: { customer: { email: buyerEmail }, items, ...taxes } };
}

/** The lines of an invoice; one line of the whole where its positions add up to another sum. */
export function linesOf({ positions, amountMinor, description }: StartRequest): readonly Line[] {
  const lines = positions.filter((each) => each.amountMinor !== 0n);
  const sum = lines.reduce((total, each) => total + each.amountMinor, 0n);
  const isReceipt = sum === amountMinor && lines.length <= MAX_LINES;
  return isReceipt ? lines : [{ title: description, amountMinor }];
}
