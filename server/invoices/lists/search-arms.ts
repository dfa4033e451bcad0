import type { Queryable } from '../../db/pool.ts';
import { idBefore } from '../../lib/ids.ts';
import { findByWords } from '../finding/by-words.ts';
import type { Word } from '../finding/read-words.ts';
import {
  type Arm,
  amountArms,
  attemptArm,
  exactArm,
  linkArm,
  ofTenant,
  restOf,
  type Scope,
  spanOf,
} from './list-arms.ts';
import type { Add } from './list-order.ts';
import type { InvoiceSearch } from './search.ts';

/** As in a list's request. */
type Options = {
  /** Whether an amount's pending invoices are searched to the very end. */
  isWhole: boolean;
  /** Whether buyers' addresses are searched. */
  findsBuyers: boolean;
};

/** Words of fewer characters narrow what others find. */
const LEAST_CHARACTERS = 3;
const MOST_FOR_DIGITS = 1_000;
/** Pending invoices have no index of amounts: each of the newest is looked at. */
const MOST_PENDING = 2_000;
const AFTER_ALL = '\u{10ffff}';

/** Whether a buyer's address begins so, by the index of their characters. */
function addressBegins(column: string, beginning: string, add: Add): string {
  return `lower(${column}) ~>=~ ${add(beginning)}::text
    AND lower(${column}) ~<~ ${add(beginning + AFTER_ALL)}::text`;
}

const ADDRESSES = [
  { table: 'buyer_contacts', column: 'b.address' },
  { table: 'payment_link_uses', column: 'b.email' },
];

/** Invoices of buyers by their address; it knows no tenant, so the invoice is checked. */
function buyerArms(email: string, scope: Scope): Arm[] {
  return ADDRESSES.map(({ table, column }) => ({
    source: (add) => {
      const all = [addressBegins(column, email, add), ...spanOf('b.invoice_id', scope, add)];
      return `SELECT b.invoice_id AS id FROM ${table} b WHERE ${all.join(' AND ')}
        ORDER BY b.invoice_id DESC`;
    },
    rest: (add) => [...ofTenant('i', scope, add), ...restOf(scope, add)],
    holdsBack: true,
  }));
}

/** Whether a word that is not only a text is one of the invoice `i`. */
function isOfInvoice(word: Word, { findsBuyers }: Options, add: Add): string {
  const { text, amountMinor, cardLast4, email } = word;
  const ways: string[] = [];
  if (amountMinor !== null) ways.push(`i.amount_minor = ${add(amountMinor)}::bigint`);
  if (cardLast4 !== null) {
    ways.push(`EXISTS (SELECT FROM payment_attempts p
      WHERE p.invoice_id = i.id AND p.card_last4 = ${add(cardLast4)}::text)`);
  }
  if (email !== null && findsBuyers) {
    for (const { table, column } of ADDRESSES) {
      ways.push(`EXISTS (SELECT FROM ${table} b
        WHERE b.invoice_id = i.id AND ${addressBegins(column, email, add)})`);
    }
  }
  // These words have no letters whose case depends on the database's locale.
  if (text !== null) {
    ways.push(`strpos(lower(i.description), ${add(text)}::text) > 0`);
    ways.push(`strpos(lower(i.merchant_transaction_id), ${add(text)}::text) > 0`);
  }
  return `(${ways.join(' OR ')})`;
}

const isOnlyText = ({ amountMinor, email }: Word): boolean =>
  amountMinor === null && email === null;

function armsOfWord(word: Word, scope: Scope, { isWhole, findsBuyers }: Options): Arm[] {
  const { amountMinor, cardLast4, email } = word;
  const arms: Arm[] = [];
  if (cardLast4) arms.push(attemptArm((add) => `p.card_last4 = ${add(cardLast4)}::text`, scope));
  if (email !== null && findsBuyers) arms.push(...buyerArms(email, scope));
  if (amountMinor !== null) {
    // Four digits are more likely a card's.
    const most = cardLast4 ? MOST_FOR_DIGITS : MOST_PENDING;
    arms.push(
      ...amountArms(amountMinor, scope, { most: isWhole ? undefined : most, holdsBack: isWhole }),
    );
  }
  return arms;
}

/** Where no word is a mere text, each leads to invoices that must have the other words too. */
function armsOfAll(words: readonly Word[], scope: Scope, options: Options): Arm[] {
  return words.flatMap((word) =>
    armsOfWord(word, scope, options).map((arm) => ({
      ...arm,
      rest: (add: Add) => [
        ...arm.rest(add),
        ...words.filter((each) => each !== word).map((each) => isOfInvoice(each, options, add)),
      ],
    })),
  );
}

function exactArms(search: InvoiceSearch, scope: Scope): Arm[] {
  const { text, transactionIds, invoiceId, linkCode } = search;
  const arms = [
    ...transactionIds.map((id) =>
      exactArm((add) => `i.merchant_transaction_id = ${add(id)}::text`, scope),
    ),
    attemptArm((add) => `p.id = ${add(text)}::text`, scope),
    attemptArm((add) => `p.authorisation_id = ${add(text)}::text`, scope),
  ];
  if (invoiceId) {
    // No letter or digit of an id sorts after z.
    const ids = (add: Add) =>
      `i.id >= ${add(invoiceId)}::text AND i.id <= ${add(invoiceId.padEnd(50, 'z'))}::text`;
    arms.push(exactArm(ids, scope));
  }
  if (linkCode) arms.push(linkArm(scope, 'code', linkCode));
  return arms;
}

/** The ways to what a search means, except the words of texts. */
export function searchArms(search: InvoiceSearch, scope: Scope, options: Options): Arm[] {
  const { words, cardLast4, amountMinor } = search;
  const arms = exactArms(search, scope);
  const [only] = words;
  if (words.length > 1) {
    return words.some(isOnlyText) ? arms : [...arms, ...armsOfAll(words, scope, options)];
  }
  const email = only?.email ?? null;
  return [...arms, ...armsOfWord({ text: null, amountMinor, cardLast4, email }, scope, options)];
}

/** What was found by words; `boundId` where that search gave up. */
export type WordArm = { arm: Arm; boundId: string | null };

/**
 * The way to invoices with the words of a search in their texts; null where no word is long enough.
 * Words that can be amounts, cards or addresses too narrow what the others find.
 *
 * @param wanted the search ends when it has found so many
 */
export async function wordArm(
  db: Queryable,
  { words }: InvoiceSearch,
  scope: Scope,
  { wanted, ...options }: Options & { wanted: number },
): Promise<WordArm | null> {
  const hasText = words.some(isOnlyText);
  const texts = words
    .filter((word) => !hasText || isOnlyText(word))
    .map(({ text }) => text)
    .filter((text) => text !== null);
  if (!texts.some((text) => text.length >= LEAST_CHARACTERS)) return null;
  // A number that no text would have like this is only an amount.
  if (!hasText && texts.length < words.length) return null;
  const others = hasText ? words.filter((word) => !isOnlyText(word)) : [];
  const { ids, boundId } = await findByWords(
    db,
    {
      tenant: scope.tenant,
      words: texts,
      fromId: idBefore('inv', scope.created.fromMs ?? 0),
      beforeId: scope.cursor ?? 'inv_z',
      rest: (add) => [
        ...restOf(scope, add),
        ...others.map((word) => isOfInvoice(word, options, add)),
      ],
    },
    { wanted },
  );
  const source = (add: Add) =>
    `SELECT f.id FROM unnest(${add(ids)}::text[]) AS f (id) ORDER BY f.id DESC`;
  return { arm: { source, rest: () => [], holdsBack: true }, boundId };
}
