import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { businessSession } from '../../../_server/api.ts';
import { viewerZone } from '../../../_server/zone.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { BookDifferenceItem } from '../../../_shared/book-difference.tsx';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { SettleForm } from '../_parts/settle-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translatorOf(await requestLocale(), 'acquirers.differences')('title') };
}

/** What differs between our books and the acquirers', until it is gone or somebody has settled it. */
export default async function DifferencesPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'acquirers.differences');
  const [{ differences }, { permissions }, timeZone] = await Promise.all([
    api.acquirers.differences(),
    api.account.current(),
    viewerZone(session.merchant.timeZone),
  ]);
  const maySettle = permissions.includes('refunds.write');
  return (
    <ClientMessages locale={locale} namespaces={['acquirers.settling']}>
      <BackLink
        href={`/dashboard/${environment}/payment-methods`}
        text={translatorOf(locale, 'acquirers')('title')}
      />
      <PageTitle title={t('title')} />
      <p className="-mt-3 mb-5 max-w-prose text-muted">{t('lead')}</p>
      {differences.length === 0 ? (
        <Notice title={t('empty')} text={t('emptyText')} />
      ) : (
        <ol aria-label={t('list')} className="grid grid-cols-1 gap-4">
          {differences.map((each) => (
            <BookDifferenceItem key={each.id} difference={each} locale={locale} timeZone={timeZone}>
              {maySettle && <SettleForm environment={environment} differenceId={each.id} />}
            </BookDifferenceItem>
          ))}
        </ol>
      )}
    </ClientMessages>
  );
}
