import type { ReactNode } from 'react';
import { isolated } from '#app/_i18n/isolated.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { AuditItem } from '#server/trpc/rows.ts';
import { actorName, describeEntry } from './audit-words.ts';
import { Instant } from './instant.tsx';

type View<Entry> = {
  locale: Locale;
  timeZone: string;
  /** What stands below the sentence of an entry. */
  subjectOf: (entry: Entry) => ReactNode;
  /** Whether the authors who are operators are marked as such. */
  marksOperators: boolean;
};

function Row<Entry extends AuditItem>({
  entry,
  locale,
  timeZone,
  subjectOf,
  marksOperators,
}: View<Entry> & { entry: Entry }) {
  const t = translatorOf(locale, 'dashboard.audit');
  return (
    <tr className="relative align-top max-md:grid max-md:gap-0.5 max-md:px-4 max-md:py-3">
      <td className="whitespace-nowrap text-muted text-sm md:px-4 md:py-3">
        <Instant atMs={entry.atMs} locale={locale} timeZone={timeZone} withSeconds />
      </td>
      <td className="[overflow-wrap:anywhere] md:px-4 md:py-3">
        {actorName(entry.actor, locale)}
        {marksOperators && entry.isOperator && (
          <span className="badge ml-2 rounded-full bg-caution-soft px-2 py-0.5 text-caution text-sm">
            {t('operator')}
          </span>
        )}
      </td>
      <td className="[overflow-wrap:anywhere] md:px-4 md:py-3">
        <span className="font-medium">{describeEntry(entry, locale, isolated)}</span>
        {subjectOf(entry)}
      </td>
      <td
        className={`whitespace-nowrap text-muted text-sm md:px-4 md:py-3 ${
          entry.address === null ? 'max-md:sr-only' : ''
        }`}
      >
        {entry.address ?? '–'}
      </td>
    </tr>
  );
}

/** A page of an audit log, the newest first; on a phone each entry is a block. */
export function AuditTable<Entry extends AuditItem>({
  entries,
  ...view
}: View<Entry> & { entries: readonly Entry[] }) {
  const t = translatorOf(view.locale, 'dashboard.audit');
  return (
    <div className="card overflow-x-auto">
      <table className="w-full text-left text-[0.9375rem]">
        <caption className="sr-only">{t('table')}</caption>
        <thead className="border-line border-b text-muted text-sm max-md:sr-only">
          <tr>
            {[t('when'), t('person'), t('what'), t('where')].map((name) => (
              <th key={name} scope="col" className="px-4 py-2.5 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} {...view} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
