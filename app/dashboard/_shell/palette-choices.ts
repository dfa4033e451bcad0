import type { Translator } from '#server/i18n/translator.ts';
import { dateFormat } from '#server/lib/formats.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { foldCase } from '#server/lib/typed-text.ts';
import type { Environment } from '#server/merchants/types.ts';
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
  places: readonly { href: string; text: string }[];
};

/**
 * The choices for a text: the invoices that the search found, the places with a matching name, the
 * sign-out, and the list of all results, unless there are none. All places if there is no text.
 *
 * @param answer the newest one, which may be for another text during a search
 */
export function choicesFor(
  text: string,
  answer: Answer,
  { t, environment, locale, places }: Source,
): Choice[] {
  const wanted = foldCase(text);
  const list = `/dashboard/${environment}/invoices`;
  const day = dateFormat(propertiesOf(locale).dateTag, { dateStyle: 'medium' });
  const isAnswered = answer.text === text;
  const found = isAnswered ? answer.found : [];
  const isNothing = isAnswered && found.length === 0 && !answer.isPartial && !answer.hasFailed;
  const invoices = found.map(
    (each): Choice => ({
      href: `${list}/${each.id}`,
      text: `${formatMoney(each.amountMinor, each.currency, locale)}, ${t(`statuses.${each.status}`)}`,
      note: `${day.format(each.createdAtMs)} · ${each.merchantTransactionId} · ${each.description}`,
    }),
  );
  const named = [
    ...places.map(({ href, text: name }): Choice => ({ href, text: name })),
    { does: 'signOut', text: t('user.signOut') } as const,
  ].filter((each) => foldCase(each.text).includes(wanted));
  if (wanted === '' || isNothing) return named;
  const all: Choice = {
    href: `${list}?${new URLSearchParams({ q: text })}`,
    text: t('palette.all'),
    note: text.trim(),
  };
  return [...invoices, ...named, all];
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
