import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import { AuditTable } from '../../dashboard/_shared/audit-table.tsx';
import { actionName, actorName } from '../../dashboard/_shared/audit-words.ts';
import { daysFilter, ListFilters } from '../../dashboard/_shared/lists/list-filters.tsx';
import {
  daysInZone,
  hasAny,
  queryDays,
  queryString,
  queryText,
  type SearchParams,
} from '../../dashboard/_shared/lists/query-text.ts';
import { SearchBox } from '../../dashboard/_shared/lists/search-box.tsx';
import { Notice } from '../../dashboard/_shared/notice.tsx';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import { operatorSession } from '../_server/api.ts';
import { DeedSubject } from './_parts/deed-subject.tsx';

const PATH = '/operator/audit-log';

/** The filters as the address and the form hold them: texts, `''` for none. */
type DeedQuery = { operator: string; deed: string; q: string; from: string; to: string };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'operator.nav');
  return { title: t('auditLog') };
}

function Filters({
  locale,
  query,
  choices,
}: {
  locale: Locale;
  query: DeedQuery;
  choices: { operators: string[]; actions: string[] };
}) {
  const t = translatorOf(locale, 'dashboard.audit');
  const own = translatorOf(locale, 'operator');
  return (
    <ListFilters
      locale={locale}
      path={PATH}
      query={query}
      search={
        <SearchBox
          label={own('deeds.search')}
          hint={own('deeds.search')}
          value={query.q}
          button={own('merchants.searchButton')}
        />
      }
      filters={[
        {
          name: 'operator',
          label: t('operator'),
          unset: t('everybody'),
          choices: choices.operators.map((value) => ({ value, text: actorName(value, locale) })),
        },
        {
          name: 'deed',
          label: t('action'),
          unset: t('anything'),
          choices: choices.actions.map((value) => ({ value, text: actionName(value, locale) })),
        },
        daysFilter(query, locale),
      ]}
    />
  );
}

/** What the gateway's own staff did, over all merchants. */
export default async function OperatorAuditLogPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'dashboard');
  const own = translatorOf(locale, 'operator');
  const { api } = await operatorSession();
  const [search, timeZone] = await Promise.all([searchParams, viewerZone('UTC')]);
  const query = {
    operator: queryText(search.operator),
    deed: queryText(search.deed),
    q: queryText(search.q).trim(),
    ...queryDays(search),
  };
  const after = queryText(search.after);
  const { entries, nextCursor, choices } = await api.operator.deeds({
    operator: query.operator || null,
    deed: query.deed || null,
    merchant: query.q || null,
    ...daysInZone(query, timeZone),
    cursor: /^\d{1,14}-\d{1,18}$/.test(after) ? after : null,
  });
  const isFiltered = hasAny(query);
  return (
    <>
      <PageTitle title={own('nav.auditLog')} />
      <p className="-mt-3 mb-5 max-w-prose text-muted">{own('deeds.lead')}</p>
      <Filters {...{ locale, query, choices }} />
      {entries.length > 0 ? (
        <AuditTable
          {...{ locale, timeZone, entries }}
          subjectOf={(deed) => <DeedSubject deed={deed} locale={locale} />}
          marksOperators={false}
        />
      ) : (
        <Notice
          title={isFiltered ? t('audit.noMatch') : t('audit.empty')}
          text={isFiltered ? t('audit.noMatchText') : undefined}
        >
          {isFiltered && (
            <a href={PATH} className="button button-plain mt-3">
              {t('filters.clear')}
            </a>
          )}
        </Notice>
      )}
      {nextCursor !== null && (
        <p className="mt-4 text-right">
          <a
            href={PATH + queryString(query, { after: nextCursor })}
            className="button button-plain"
          >
            {t('audit.older')}
          </a>
        </p>
      )}
    </>
  );
}
