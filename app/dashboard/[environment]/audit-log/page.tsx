import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { AuditItem } from '#server/trpc/rows.ts';
import { businessSession, load } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { AuditTable } from '../../_shared/audit-table.tsx';
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

/** An entry's subject, linked to its screen where it has one; people stand in the sentence. */
function Target({
  entry,
  base,
  team,
}: {
  entry: AuditItem;
  base: string;
  /** The name of the screen with the people. */
  team: string;
}) {
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
        <AuditTable
          {...{ locale, timeZone, entries }}
          subjectOf={(entry) => <Target {...{ entry, base }} team={t('team.title')} />}
          marksOperators
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
