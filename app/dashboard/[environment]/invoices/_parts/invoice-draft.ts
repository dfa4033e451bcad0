import type { Translator } from '#server/i18n/translator.ts';
import { INVOICE_LIMITS } from '#server/invoices/types.ts';
import { type Currency, MAX_AMOUNT_MINOR } from '#server/lib/money.ts';
import { parseAmount } from './amount-text.ts';

/** The faults, by the field's name in the API. */
export type Faults = Record<string, string>;

export type DraftPosition = { key: number; title: string; amount: string };

export type Draft = {
  description: string;
  /** What was typed; positions, where there are some, are summed up instead. */
  amount: string;
  currency: Currency;
  positions: DraftPosition[];
  hours: number;
  reference: string;
  successUrl: string;
  errorUrl: string;
  callbackUrl: string;
};

export type TextName = 'description' | 'reference' | 'successUrl' | 'errorUrl' | 'callbackUrl';

/** The field's name in the server's faults; the contract's limit, counting emoji double here. */
export const FIELDS: Record<TextName, { wire: string; most: number }> = {
  description: { wire: 'description', most: INVOICE_LIMITS.description },
  reference: { wire: 'merchant_transaction_id', most: INVOICE_LIMITS.merchantTransactionId },
  successUrl: { wire: 'success_url', most: INVOICE_LIMITS.url },
  errorUrl: { wire: 'error_url', most: INVOICE_LIMITS.url },
  callbackUrl: { wire: 'callback_url', most: INVOICE_LIMITS.url },
};

/** What the buyer pays, or null while an amount is none. */
export function totalOfDraft({
  amount: whole,
  positions,
}: Pick<Draft, 'amount' | 'positions'>): bigint | null {
  if (positions.length === 0) return parseAmount(whole);
  let sum = 0n;
  for (const { amount } of positions) {
    const minor = parseAmount(amount);
    if (minor === null) return null;
    sum += minor;
  }
  return sum;
}

const isUrl = (text: string): boolean => /^https?:\/\/[^\s/]/i.test(text.trim());

/** The faults of a draft by field, before the server is asked; the server checks again. */
export function faultsOf(draft: Draft, t: Translator<'dashboard.create'>): Faults {
  const faults: Faults = {};
  if (draft.description.trim() === '') faults.description = t('needed');
  const total = totalOfDraft(draft);
  if (draft.positions.length === 0 && total === null) faults.amount = t('badAmount');
  if (draft.reference.trim() === '') faults.merchant_transaction_id = t('needed');
  for (const [index, { title, amount }] of draft.positions.entries()) {
    if (title.trim() === '') faults[`positions.${index}.title`] = t('needed');
    if (parseAmount(amount) === null) faults[`positions.${index}.amount`] = t('badAmount');
  }
  if ((total ?? 0n) > MAX_AMOUNT_MINOR) faults.amount = t('tooMuch');
  for (const name of ['successUrl', 'errorUrl', 'callbackUrl'] as const) {
    const url = draft[name];
    if (url.trim() !== '' && !isUrl(url)) faults[FIELDS[name].wire] = t('badUrl');
  }
  return faults;
}

/**
 * The faults of fields that nobody has typed into since: new text is checked when it is sent.
 *
 * @param judged the draft that had the faults
 */
export function standingFaults(faults: Faults, judged: Draft, draft: Draft): Faults {
  const standing: Faults = {};
  for (const [name, { wire }] of Object.entries(FIELDS) as [TextName, { wire: string }][]) {
    const fault = faults[wire];
    if (fault && draft[name] === judged[name]) standing[wire] = fault;
  }
  const isSameTotal = totalOfDraft(draft) === totalOfDraft(judged);
  if (faults.amount && isSameTotal && draft.amount === judged.amount) {
    standing.amount = faults.amount;
  }
  for (const [index, position] of draft.positions.entries()) {
    const before = judged.positions.findIndex(({ key }) => key === position.key);
    for (const field of ['title', 'amount'] as const) {
      const fault = faults[`positions.${before}.${field}`];
      if (fault && position[field] === judged.positions[before]?.[field]) {
        standing[`positions.${index}.${field}`] = fault;
      }
    }
  }
  return standing;
}

/** A link without positions has one, named by as much of the description as a title holds. */
function positionsOf({ description, amount, positions }: Draft): DraftPosition[] {
  if (positions.length > 0) return positions;
  const title = Array.from(description).slice(0, INVOICE_LIMITS.title).join('');
  return [{ key: 0, title, amount }];
}

/** The draft as the procedure takes it. */
export function formOf(draft: Draft, formKey: string) {
  const { amount: _, ...others } = draft;
  // The value is trimmed as in `faultsOf`.
  const address = (text: string) => text.trim() || null;
  return {
    ...others,
    successUrl: address(draft.successUrl),
    errorUrl: address(draft.errorUrl),
    callbackUrl: address(draft.callbackUrl),
    formKey,
    amountMinor: Number(totalOfDraft(draft) ?? 0n),
    positions: positionsOf(draft).map(({ title, amount }) => ({
      title,
      amountMinor: Number(parseAmount(amount) ?? 0n),
    })),
  };
}
