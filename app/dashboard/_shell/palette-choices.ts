import { findEntries, type SearchEntry } from '#app/docs/_parts/search-entries.ts';
import type { Translator } from '#server/i18n/translator.ts';
import { dateFormat } from '#server/lib/formats.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { foldCase } from '#server/lib/typed-text.ts';
import type { Environment } from '#server/merchants/types.ts';
import { brandName } from '#server/payments/brand.ts';
import type { InvoiceListItem } from '#server/trpc/rows.ts';

/** A choice of the palette and its note. */
export type Choice = { text: string; note?: string } & ({ href: string } | { does: 'signOut' });

/** The search's answer for `text`; `isPartial` if it gave up before searching everything. */
export type Answer = {
  text: string;
  found: InvoiceListItem[];
  isPartial: boolean;
  hasFailed: boolean;
};

type Source = {
  t: Translator<'dashboard'>;
  environment: Environment;
  locale: Locale;
  timeZone: string;
  places: readonly { href: string; text: string }[];
  /** Found by `words` too. */
  deeds: readonly { href: string; text: string; words: string }[];
  /** The sections of the docs; none until they are loaded. */
  docs: readonly SearchEntry[];
};

const MOST_DOCS = 4;

/** Whether each typed word begins a word of the text, or all of them stand in it as typed. */
function isNamed(text: string, wanted: string): boolean {
  const folded = foldCase(text);
  const all = folded.split(/[^\p{L}\p{N}']+/u);
  return (
    folded.includes(wanted) ||
    wanted.split(' ').every((word) => all.some((each) => each.startsWith(word)))
  );
}

function invoiceChoice(
  each: InvoiceListItem,
  { t, environment, locale, timeZone }: Source,
): Choice {
  const when = dateFormat(propertiesOf(locale).dateTag, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  const { amountMinor, currency, cardBrand, cardLast4, accountName } = each;
  const card =
    cardLast4 && `${brandName(cardBrand ?? '', t('palette.card'))} ••••\u00a0${cardLast4}`;
  const note = [
    when.format(each.createdAtMs),
    card ?? accountName,
    each.merchantTransactionId,
    each.description,
  ];
  return {
    href: `/dashboard/${environment}/invoices/${each.id}`,
    text: `${formatMoney(amountMinor, currency, locale)}, ${t(`statuses.${each.status}`)}`,
    note: note.filter(Boolean).join(' · '),
  };
}

/** The sections of the docs whose headings have the words. */
function docsChoices(text: string, { t, docs }: Source): Choice[] {
  const headings = docs.map((entry) => ({ ...entry, text: '' }));
  return findEntries(headings, text)
    .slice(0, MOST_DOCS)
    .map(({ entry: { href, page, heading } }) => ({
      href,
      text: heading || page,
      note: heading ? `${t('palette.docs')} · ${page}` : t('palette.docs'),
    }));
}

/**
 * The choices for a text: the invoices that the search found, the places and deeds with a matching
 * name, the sign-out, sections of the docs, and the list of all results, unless there are none. All
 * places if there is no text.
 *
 * @param answer the newest one, which may be for another text during a search
 */
export function choicesFor(text: string, answer: Answer, source: Source): Choice[] {
  const { t, environment, places, deeds } = source;
  const wanted = foldCase(text).replaceAll(/\s+/g, ' ');
  const isAnswered = answer.text === text;
  const found = isAnswered ? answer.found : [];
  const isNothing = isAnswered && found.length === 0 && !answer.isPartial && !answer.hasFailed;
  const named = [
    ...places.map(({ href, text: name }): Choice => ({ href, text: name })),
    { does: 'signOut', text: t('user.signOut') } as const,
  ].filter((each) => wanted === '' || isNamed(each.text, wanted));
  if (wanted === '') return named;
  const done = deeds
    .filter((each) => isNamed(`${each.text} ${each.words}`, wanted))
    .map(({ href, text: name }): Choice => ({ href, text: name }));
  const all: Choice = {
    href: `/dashboard/${environment}/invoices?${new URLSearchParams({ q: text })}`,
    text: t('palette.all'),
    note: text.trim(),
  };
  return [
    ...found.map((each) => invoiceChoice(each, source)),
    ...named,
    ...done,
    ...docsChoices(text, source),
    ...(isNothing ? [] : [all]),
  ];
}

/** The line below the choices: the state of the search, or else how to choose. */
export function statusFor(
  text: string,
  { text: answered, isPartial, hasFailed }: Answer,
  choices: readonly Choice[],
  t: Translator<'dashboard.palette'>,
): string {
  if (text.trim() === '') return t('keys');
  if (answered !== text) return t('searching');
  if (hasFailed) return t('failed');
  if (isPartial) return t('partial');
  return choices.length === 0 ? t('nothing') : t('keys');
}
