import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import { ListForm } from '../../dashboard/_shared/lists/list-form.tsx';
import { oneOf, queryText, type SearchParams } from '../../dashboard/_shared/lists/query-text.ts';
import { SearchBox } from '../../dashboard/_shared/lists/search-box.tsx';
import { Notice } from '../../dashboard/_shared/notice.tsx';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import { EnvironmentSwitch, environmentIn } from '../_parts/environment-switch.tsx';
import { MERCHANT_ORDERS, MerchantTable } from '../_parts/merchant-table.tsx';
import { operatorSession } from '../_server/api.ts';

const PATH = '/operator/merchants';
const MAX_SEARCH = 254;

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'operator.merchants');
  return { title: t('title') };
}

function Filters({
  locale,
  search,
  environment,
}: {
  locale: Locale;
  search: string;
  environment: Environment;
}) {
  const t = translatorOf(locale, 'operator.merchants');
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
      <ListForm path={PATH} className="flex min-w-0 flex-1 basis-72">
        <input type="hidden" name="environment" value={environment} />
        <SearchBox
          label={t('search')}
          hint={t('search')}
          value={search}
          button={t('searchButton')}
        />
      </ListForm>
      <EnvironmentSwitch path={PATH} more={{ q: search }} {...{ locale, environment }} />
    </div>
  );
}

export default async function MerchantsPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator.merchants');
  const { api } = await operatorSession();
  const [given, timeZone] = await Promise.all([searchParams, viewerZone('UTC')]);
  const search = queryText(given.q, MAX_SEARCH);
  const environment = environmentIn(given.environment);
  const sort = oneOf(MERCHANT_ORDERS, queryText(given.sort)) || 'worst';
  const number = Math.min(Math.max(1, Number.parseInt(queryText(given.page), 10) || 1), 10_000);
  const { merchants, isMore } = await api.operator.merchants({
    ...{ search, environment, sort, page: number },
  });
  const isFiltered = search.trim() !== '' || number > 1;
  const next = new URLSearchParams({ environment, q: search, sort, page: String(number + 1) });
  const sortHref = (order: string) =>
    `${PATH}?${new URLSearchParams({ environment, q: search, sort: order })}`;
  return (
    <>
      <PageTitle title={t('title')}>
        <PageLink href={`${PATH}/new`} className="button button-primary button-compact">
          {t('create')}
        </PageLink>
      </PageTitle>
      <p className="-mt-3 mb-5 max-w-prose text-muted">{t('lead')}</p>
      <Filters {...{ locale, search, environment }} />
      {merchants.length === 0 ? (
        <Notice
          title={isFiltered ? t('nothing') : t('empty')}
          text={isFiltered ? t('nothingText') : t('emptyText')}
        />
      ) : (
        <MerchantTable {...{ locale, timeZone, merchants, sort, sortHref }} />
      )}
      {isMore && (
        <p className="mt-4 text-right">
          <a href={`${PATH}?${next}`} className="button button-plain">
            {t('next')}
          </a>
        </p>
      )}
    </>
  );
}
