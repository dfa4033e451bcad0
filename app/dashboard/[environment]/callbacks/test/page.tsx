import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { businessSession } from '../../../_server/api.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { queryText, type SearchParams } from '../../../_shared/lists/query-text.ts';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { EndpointTrial } from '../_parts/endpoint-trial.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.endpoint');
  return { title: t('title') };
}

/** An invoice's id is never `test`, so this screen and a callback's cannot meet. */
export default async function EndpointTrialPage({
  params,
  searchParams,
}: {
  params: Promise<{ environment: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const [{ permissions }, newest, search] = await Promise.all([
    api.account.current(),
    api.callbacks.list({ limit: 1 }),
    searchParams,
  ]);
  const address = permissions.includes('token.read') ? await api.events.address() : null;
  const [last] = newest.callbacks;
  const isSuspended = session.merchant.status === 'suspended';
  const why = isSuspended
    ? { title: t('suspended.rests') }
    : { title: t('noPermission.title'), text: t('endpoint.noRole') };
  return (
    <ClientMessages
      locale={locale}
      namespaces={['dashboard.endpoint', 'dashboard.statuses', 'dashboard.eventTypes', 'reasons']}
    >
      <BackLink href={`/dashboard/${environment}/callbacks`} text={t('callbacks.title')} />
      <PageTitle title={t('endpoint.title')} />
      {permissions.includes('callback.test') ? (
        <EndpointTrial
          environment={environment}
          locale={locale}
          kind={queryText(search.kind) === 'event' ? 'event' : 'notification'}
          urls={{
            notification: last?.kind === 'notification' ? last.url : '',
            event: address?.url ?? '',
          }}
        />
      ) : (
        <Notice {...why} />
      )}
    </ClientMessages>
  );
}
