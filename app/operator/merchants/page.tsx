import type { Metadata } from 'next';
import { PageLink } from '#app/_ui/page-link.tsx';
import { viewerZone } from '../../dashboard/_server/zone.ts';
import { ListForm } from '../../dashboard/_shared/lists/list-form.tsx';
import { queryText, type SearchParams } from '../../dashboard/_shared/lists/query-text.ts';
import { SearchBox } from '../../dashboard/_shared/lists/search-box.tsx';
import { Notice } from '../../dashboard/_shared/notice.tsx';
import { PageTitle } from '../../dashboard/_shared/page-title.tsx';
import type { OperatorMessages } from '../_i18n/en.ts';
import { operatorMessages } from '../_i18n/messages.ts';
import { MerchantTable } from '../_parts/merchant-table.tsx';
import { operatorSession } from '../_server/api.ts';

const PATH = '/operator/merchants';
const ENVIRONMENTS = ['production', 'sandbox'] as const;
const MAX_SEARCH = 254;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await operatorMessages()).t.merchants.title };
}

function Filters({
  words,
  search,
  environment,
}: {
  words: OperatorMessages['merchants'];
  search: string;
  environment: string;
}) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
      <ListForm path={PATH} className="flex min-w-0 flex-1 basis-72">
        <input type="hidden" name="environment" value={environment} />
        <SearchBox
          label={words.search}
          hint={words.search}
          value={search}
          button={words.searchButton}
        />
      </ListForm>
      <nav aria-label={words.environment} className="flex flex-wrap gap-2 text-sm">
        {ENVIRONMENTS.map((each) => (
          <a
            key={each}
            href={`${PATH}?${new URLSearchParams({ environment: each, q: search })}`}
            aria-current={each === environment ? 'true' : undefined}
            className={`rounded-full border px-3 py-1.5 ${
              each === environment
                ? 'border-accent font-semibold text-accent'
                : 'border-line text-muted hover:text-ink'
            }`}
          >
            {words[each]}
          </a>
        ))}
      </nav>
    </div>
  );
}

export default async function MerchantsPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const { api } = await operatorSession();
  const [{ t, locale }, given, timeZone] = await Promise.all([
    operatorMessages(),
    searchParams,
    viewerZone('UTC'),
  ]);
  const words = t.merchants;
  const search = queryText(given.q, MAX_SEARCH);
  const environment = given.environment === 'sandbox' ? 'sandbox' : 'production';
  const cursor = queryText(given.after) || null;
  const { merchants, nextCursor } = await api.operator.merchants({ search, environment, cursor });
  const isFiltered = search.trim() !== '' || cursor !== null;
  const older = new URLSearchParams({ environment, q: search, after: nextCursor ?? '' });
  return (
    <>
      <PageTitle title={words.title}>
        <PageLink href={`${PATH}/new`} className="button button-primary button-compact">
          {words.create}
        </PageLink>
      </PageTitle>
      <Filters {...{ words, search, environment }} />
      {merchants.length === 0 ? (
        <Notice
          title={isFiltered ? words.nothing : words.empty}
          text={isFiltered ? words.nothingText : words.emptyText}
        />
      ) : (
        <MerchantTable {...{ t, locale, timeZone, merchants }} />
      )}
      {nextCursor !== null && (
        <p className="mt-4 text-right">
          <a href={`${PATH}?${older}`} className="button button-plain">
            {words.older}
          </a>
        </p>
      )}
    </>
  );
}
