import { CURRENCIES, MAX_AMOUNT_MINOR } from '#server/lib/money.ts';
import { foldTyped } from '#server/lib/typed-text.ts';
import { LINK_FIELDS, LINK_LIMITS } from '#server/links/types.ts';
import { parseAmount } from '../../invoices/_parts/amount-text.ts';

/** What is wrong with a field; the form has a text for each. */
export type LinkFault = 'needed' | 'badAmount' | 'tooMuch' | 'badBounds' | 'badNumber' | 'badEnd';
export type LinkFaults = Partial<Record<string, LinkFault>>;

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** One of a list's values; its first where the form has none of them. */
function oneOf<T extends string>(form: FormData, name: string, values: readonly [T, ...T[]]): T {
  return values.find((each) => each === textOf(form, name)) ?? values[0];
}

/** A number from 1 to `most`; null for an empty field, undefined for anything else. */
function numberOf(form: FormData, name: string, most: number): number | null | undefined {
  const text = foldTyped(textOf(form, name)).replaceAll(/\s/g, '');
  if (text === '') return null;
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : undefined;
}

function readPrice(form: FormData, pieces: number, faults: LinkFaults) {
  const amountOf = (name: string): bigint => {
    const minor = parseAmount(textOf(form, name));
    if (minor === null) faults[name] = 'badAmount';
    return minor ?? 0n;
  };
  if (oneOf(form, 'kind', ['fixed', 'open']) === 'fixed') {
    const amountMinor = amountOf('amount');
    if (amountMinor * BigInt(pieces) > MAX_AMOUNT_MINOR) faults.amount = 'tooMuch';
    return { amountMinor: Number(amountMinor) };
  }
  const [leastMinor, greatestMinor] = [amountOf('least'), amountOf('greatest')];
  if (greatestMinor > MAX_AMOUNT_MINOR) faults.greatest = 'tooMuch';
  if (!faults.least && leastMinor > greatestMinor) faults.greatest ??= 'badBounds';
  return { leastMinor: Number(leastMinor), greatestMinor: Number(greatestMinor) };
}

/**
 * Reads the form of a new link, as the procedure takes it; the end is in the browser's own zone.
 *
 * @returns all faults at once, by the field's name
 */
export function readLinkForm(form: FormData, nowMs: number) {
  const faults: LinkFaults = {};
  const title = textOf(form, 'title');
  if (title === '') faults.title = 'needed';
  const isFixed = oneOf(form, 'kind', ['fixed', 'open']) === 'fixed';
  const quantity = isFixed ? numberOf(form, 'quantity', LINK_LIMITS.quantity) : null;
  if (quantity === undefined) faults.quantity = 'badNumber';
  const usesLimit = numberOf(form, 'limit', LINK_LIMITS.uses);
  if (usesLimit === undefined) faults.limit = 'badNumber';
  const typedEnd = textOf(form, 'end');
  const endsAtMs = typedEnd === '' ? null : Date.parse(typedEnd);
  if (endsAtMs !== null && !(endsAtMs > nowMs)) faults.end = 'badEnd';
  const maxQuantity = quantity ?? 1;
  const link = {
    title,
    description: textOf(form, 'description') || null,
    currency: oneOf(form, 'currency', CURRENCIES),
    price: readPrice(form, maxQuantity, faults),
    maxQuantity,
    asksNote: oneOf(form, 'note', LINK_FIELDS),
    asksEmail: oneOf(form, 'email', LINK_FIELDS),
    asksPhone: oneOf(form, 'phone', LINK_FIELDS),
    usesLimit: usesLimit ?? null,
    endsAtMs,
  };
  return Object.keys(faults).length > 0 ? { faults } : { link };
}
