import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { AuditItem } from '#server/trpc/rows.ts';
import { isolated } from '../../../_i18n/isolated.ts';
import { businessSession, load } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { actorName, describeEntry } from '../../_shared/audit-words.ts';
import { Instant } from '../../_shared/instant.tsx';
import {
  hasAny,
  queryString,
  queryText,
  type SearchParams,
} from '../../_shared/lists/query-text.ts';
import { Notice } from '../../_shared/notice.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { AuditFilters } from './_parts/audit-filters.tsx';
import { readAuditQuery, toAuditFilter } from './_parts/audit-query.ts';
import { targetHref } from './_parts/audit-target.ts';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.audit');
  return { title: t('title') };
}

type View = {
  locale: Locale;
  timeZone: string;
  base: string;
  /** The name of the screen with the people. */
  team: string;
};

/** An entry's subject, linked to its screen where it has one; people stand in the sentence. */
function Target({ entry, base, team }: { entry: AuditItem; base: string; team: string }) {
  const { target } = entry;
  const href = targetHref(entry, base);
  if (!target || target.type === 'merchant' || (target.type === 'user' && !href)) return null;
  const id = target.type === 'user' ? team : <code className="font-mono text-xs">{target.id}</code>;
  return (
    <span className="block text-muted">
      {href ? (
        <PageLink href={href} className="link">
          {id}
        </PageLink>
      ) : (
        id
      )}
    </span>
  );
}

function Entry({ entry, locale, timeZone, base, team }: View & { entry: AuditItem }) {
  const t = translatorOf(locale, 'dashboard.audit');
  return (
    <tr className="relative align-top max-md:grid max-md:gap-0.5 max-md:px-4 max-md:py-3">
      <td className="whitespace-nowrap text-muted text-sm md:px-4 md:py-3">
        <Instant atMs={entry.atMs} locale={locale} timeZone={timeZone} withSeconds />
      </td>
      <td className="[overflow-wrap:anywhere] md:px-4 md:py-3">
        {actorName(entry.actor, locale)}
        {entry.isOperator && (
          <span className="badge ml-2 rounded-full bg-caution-soft px-2 py-0.5 text-caution text-sm">
            {t('operator')}
          </span>
        )}
      </td>
      <td className="[overflow-wrap:anywhere] md:px-4 md:py-3">
        <span className="font-medium">{describeEntry(entry, locale, isolated)}</span>
        <Target {...{ entry, base, team }} />
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

function Entries({ entries, ...view }: View & { entries: AuditItem[] }) {
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
            <Entry key={entry.id} entry={entry} {...view} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Who did what, when and from where. */
export default async function AuditLogPage({ params, searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const [search, timeZone, choices] = await Promise.all([
    searchParams,
    viewerZone(session.merchant.timeZone),
    load(api.audit.choices()),
  ]);
  if (!choices.ok) {
    return (
      <>
        <PageTitle title={t('audit.title')} />
        <Notice title={t('noPermission.title')} text={t('noPermission.text')} />
      </>
    );
  }
  const base = `/dashboard/${environment}`;
  const path = `${base}/audit-log`;
  const query = readAuditQuery(search, choices.data);
  const after = queryText(search.after);
  const cursor = /^\d{1,14}-\d{1,18}$/.test(after) ? after : null;
  const { entries, nextCursor } = await api.audit.list({
    ...toAuditFilter(query, timeZone),
    cursor,
  });
  const isFiltered = hasAny(query);
  return (
    <>
      <PageTitle title={t('audit.title')}>
        <a
          href={`${path}/export${queryString(query, { merchant: session.merchant.id })}`}
          className="button button-plain"
        >
          {t('audit.export')}
        </a>
      </PageTitle>
      <p className="-mt-3 mb-5 max-w-prose text-muted">{t('audit.lead')}</p>
      <AuditFilters {...{ locale, path, query }} choices={choices.data} />
      {entries.length > 0 ? (
        <Entries
          locale={locale}
          timeZone={timeZone}
          base={base}
          team={t('team.title')}
          entries={entries}
        />
      ) : (
        <Notice
          title={isFiltered ? t('audit.noMatch') : t('audit.empty')}
          text={isFiltered ? t('audit.noMatchText') : undefined}
        >
          {isFiltered && (
            <a href={path} className="button button-plain mt-3">
              {t('filters.clear')}
            </a>
          )}
        </Notice>
      )}
      {nextCursor !== null && (
        <p className="mt-4 text-right">
          <a
            href={path + queryString(query, { after: nextCursor })}
            className="button button-plain"
          >
            {t('audit.older')}
          </a>
        </p>
      )}
    </>
  );
}
