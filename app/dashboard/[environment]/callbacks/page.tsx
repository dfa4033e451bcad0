import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { CallbackListItem } from '#server/trpc/rows.ts';
import { businessSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { CallbackNext, CallbackSubject, callbackName } from '../../_shared/callback-schedule.tsx';
import { Instant } from '../../_shared/instant.tsx';
import { EmptyList } from '../../_shared/lists/empty-list.tsx';
import { KeepFresh } from '../../_shared/lists/keep-fresh.tsx';
import { ListKeys } from '../../_shared/lists/list-keys.tsx';
import { Ways } from '../../_shared/lists/overview-empty.tsx';
import {
  hasAny,
  queryString,
  queryText,
  type SearchParams,
} from '../../_shared/lists/query-text.ts';
import { SelectBox } from '../../_shared/lists/select-box.tsx';
import { SelectionBar } from '../../_shared/lists/selection-bar.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { Reason } from '../../_shared/reason.tsx';
import { CallbackBadge } from '../../_shared/status-badge.tsx';
import { CallbackFilters, CallbackViews } from './_parts/callback-filters.tsx';
import { readCallbackQuery, toCallbackFilters } from './_parts/callback-query.ts';
import { FailingHosts } from './_parts/failing-hosts.tsx';
import { ResendFailed } from './_parts/resend-failed.tsx';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.callbacks');
  return { title: t('title') };
}

type View = { locale: Locale; timeZone: string; path: string; selects: boolean };

function Delivery({ callback, ...view }: View & { callback: CallbackListItem }) {
  const { locale, timeZone, path, selects } = view;
  const name = `${callback.host}, ${callbackName(callback)}`;
  const t = translatorOf(locale, 'dashboard');
  return (
    <li
      className={`relative ${selects ? '!pl-14 @max-[12rem]:!pl-4' : ''} has-checked:bg-sunk grid grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-1 px-4 py-3 focus-within:bg-sunk hover:bg-sunk @max-[12rem]:flex @max-[12rem]:flex-col @2xl:grid-cols-[8rem_minmax(0,1fr)_auto]`}
    >
      {selects && (
        <div className="absolute inset-y-0 left-2 grid @max-[12rem]:static">
          <SelectBox
            label={translatorOf(locale, 'dashboard.bulk')('row', { name })}
            row={{ id: callbackName(callback), name, can: ['resend'] }}
          />
        </div>
      )}
      <p className="min-w-0 [overflow-wrap:anywhere] @max-2xl:col-span-full @2xl:col-start-2">
        <PageLink
          href={`${path}/${encodeURIComponent(callbackName(callback))}`}
          data-row=""
          className="font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-focus"
        >
          {callback.host}
        </PageLink>{' '}
        <CallbackSubject {...{ locale, callback }} />
      </p>
      <p className="@max-2xl:row-start-2 @2xl:col-start-1 @2xl:row-start-1">
        <CallbackBadge state={callback.state} label={t(`callbackStates.${callback.state}`)} />
      </p>
      <p className="text-right text-muted text-sm @max-2xl:col-span-2 @max-[12rem]:text-left">
        <Instant atMs={callback.createdAt.getTime()} {...{ locale, timeZone }} isNarrow />
      </p>
      <p className="text-muted text-sm [overflow-wrap:anywhere] @max-2xl:col-span-full @2xl:col-start-2 @2xl:-col-end-1 @4xl:col-end-3">
        {t('callbacks.attempts')}: {callback.attemptCount}
        {callback.lastReason && (
          <>
            {'\u00a0· '}
            <Reason reason={callback.lastReason} t={translatorOf(locale, 'reasons')} />
          </>
        )}
        {callback.state === 'pending' && (
          <span className="block">
            <CallbackNext {...{ locale, timeZone, callback }} />
          </span>
        )}
      </p>
      <p className="font-mono text-muted text-xs [overflow-wrap:anywhere] @max-2xl:hidden @2xl:col-start-2 @2xl:-col-end-1 @4xl:col-start-3 @4xl:text-right">
        {callback.invoiceId}
      </p>
    </li>
  );
}

function List({ callbacks, ...view }: View & { callbacks: CallbackListItem[] }) {
  const t = translatorOf(view.locale, 'dashboard.callbacks');
  return (
    <ul aria-label={t('list')} className="card @container divide-y divide-line overflow-hidden">
      {callbacks.map((callback) => (
        <Delivery key={callback.id} {...view} callback={callback} />
      ))}
    </ul>
  );
}

export default async function CallbacksPage({ params, searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const [search, timeZone, { permissions }] = await Promise.all([
    searchParams,
    viewerZone(session.merchant.timeZone),
    api.account.current(),
  ]);
  const path = `/dashboard/${environment}/callbacks`;
  const query = readCallbackQuery(search);
  const cursor = queryText(search.after, 400) || null;
  const [{ callbacks, nextCursor, searchedUntil }, hosts] = await Promise.all([
    api.callbacks.list({ ...toCallbackFilters(query, timeZone), cursor }),
    api.callbacks.failingHosts(),
  ]);
  const views = await api.views.list({ list: 'callbacks' });
  const isFiltered = hasAny(query);
  // An empty list has nothing to filter or resend, so it says what will come and how to prepare.
  const isNew = callbacks.length === 0 && cursor === null && !isFiltered;
  const mayTest = permissions.includes('callback.test');
  const mayResend = permissions.includes('callback.resend');
  const view = { locale, timeZone, path, selects: mayResend };
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.callbacks']}>
      <PageTitle title={t('callbacks.title')}>
        {mayTest && !isNew && (
          <PageLink href={`${path}/test`} className="button button-plain button-compact">
            {t('endpoint.open')}
          </PageLink>
        )}
        {mayResend && !isNew && (
          <ResendFailed {...{ environment, locale }} back={t('back')} host={query.host || null} />
        )}
      </PageTitle>
      <FailingHosts hosts={hosts} locale={locale} path={path} />
      {!isNew && (
        <>
          <CallbackViews
            {...{ locale, environment, path, query, views }}
            mayKeep={permissions.includes('views.keep')}
          />
          <CallbackFilters {...{ locale, path, query }} />
        </>
      )}
      {callbacks.length > 0 && (
        <>
          <div className="mb-2 flex justify-end">
            <ListKeys locale={locale} selects={mayResend} />
          </div>
          <List {...view} callbacks={callbacks} />
        </>
      )}
      {callbacks.length === 0 && !searchedUntil && (
        <EmptyList
          {...{ locale, isFiltered, path }}
          words={{
            noMatch: t('callbacks.noMatch'),
            noMatchText: t('callbacks.noMatchText'),
            empty: t('callbacks.empty'),
            emptyText: t('callbacks.emptyText'),
          }}
          isLaterPage={cursor !== null}
        >
          <Ways
            ways={[
              ...(mayTest ? [{ text: t('endpoint.open'), href: `${path}/test` }] : []),
              { text: t('developers.verify'), href: `/dashboard/${environment}/developers#verify` },
              { text: t('developers.docs'), href: docsAddress('/docs/callbacks', locale) },
            ]}
          />
        </EmptyList>
      )}
      {nextCursor !== null && (
        <p className="mt-4 flex flex-wrap items-center justify-end gap-3 text-muted">
          {searchedUntil && (
            <span>
              {t('callbacks.searched')}{' '}
              <Instant atMs={searchedUntil.getTime()} locale={locale} timeZone={timeZone} />
            </span>
          )}
          <a
            href={path + queryString(query, { after: nextCursor })}
            className="button button-plain"
          >
            {searchedUntil ? t('callbacks.searchOn') : t('invoices.nexts.newest')}
          </a>
        </p>
      )}
      <KeepFresh environment={environment} isGoingOn={isNew} />
      {mayResend && callbacks.length > 0 && (
        <SelectionBar {...{ locale, environment }} deeds={['resend']} />
      )}
    </ClientMessages>
  );
}
