import { buyerEmailOf } from '../lib/buyer-email.ts';
import { readAmount } from '../lib/money.ts';
import { foldTyped, storablePart } from '../lib/typed-text.ts';
import {
  LINK_LIMITS,
  type LinkField,
  type LinkOrder,
  type NewLink,
  type OrderFault,
  type TypedOrder,
} from './types.ts';

type Read<T> = T | { fault: OrderFault };

function isFault(read: unknown): read is { fault: OrderFault } {
  return typeof read === 'object' && read !== null && 'fault' in read;
}

function readPiece({ price }: NewLink, typed: string): Read<bigint> {
  if ('amountMinor' in price) return price.amountMinor;
  const amountMinor = readAmount(typed);
  if (amountMinor === null) return { fault: 'amount_missing' };
  if (amountMinor < price.leastMinor) return { fault: 'amount_low' };
  return amountMinor > price.greatestMinor ? { fault: 'amount_high' } : amountMinor;
}

function readQuantity({ maxQuantity }: NewLink, typed: string): Read<number> {
  if (maxQuantity === 1) return 1;
  const text = foldTyped(typed);
  const quantity = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return quantity >= 1 && quantity <= maxQuantity ? quantity : { fault: 'quantity_range' };
}

const MAX_PHONE_LENGTH = 30;

/** A telephone number in any country's writing. */
function phoneOf(typed: string): string | null {
  const phone = foldTyped(typed);
  const digits = phone.replace(/\D/g, '').length;
  const isPhone = /^\+?[\d ()-]+$/.test(phone) && digits >= 5 && digits <= 15;
  return isPhone && phone.length <= MAX_PHONE_LENGTH ? phone : null;
}

/** A text that a field asks for; null where there is none, or the field is off. */
function readText(
  field: LinkField,
  typed: string,
  check: (text: string) => Read<string>,
  missing: OrderFault,
): Read<string | null> {
  const text = storablePart(typed).trim();
  if (field === 'off') return null;
  if (text === '') return field === 'required' ? { fault: missing } : null;
  return check(text);
}

/** Reads what a buyer typed on a link's page; reports all faults at once. Amounts in minor units. */
export function readOrder(
  link: NewLink,
  typed: TypedOrder,
): { order: LinkOrder } | { faults: OrderFault[] } {
  const piece = readPiece(link, typed.amount);
  const quantity = readQuantity(link, typed.quantity);
  const note = readText(
    link.asksNote,
    typed.note,
    (text) => ([...text].length > LINK_LIMITS.note ? { fault: 'note_long' } : text),
    'note_missing',
  );
  const email = readText(
    link.asksEmail,
    typed.email,
    (text) => buyerEmailOf(text) ?? { fault: 'email_format' },
    'email_missing',
  );
  const phone = readText(
    link.asksPhone,
    typed.phone,
    (text) => phoneOf(text) ?? { fault: 'phone_format' },
    'phone_missing',
  );
  if (isFault(piece) || isFault(quantity) || isFault(note) || isFault(email) || isFault(phone)) {
    const read = [piece, quantity, note, email, phone];
    return { faults: read.filter(isFault).map(({ fault }) => fault) };
  }
  return { order: { amountMinor: piece * BigInt(quantity), quantity, note, email, phone } };
}
