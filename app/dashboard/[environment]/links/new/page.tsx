import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { dashboardSession, load } from '../../../_server/api.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { LinkForm } from '../_parts/link-form.tsx';

type Props = { params: Promise<{ environment: string }> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: translatorOf(await requestLocale(), 'dashboard.links')('create') };
}

/** A link for any number of buyers, made by hand. */
export default async function NewLinkPage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const loaded = await load(api.paymentLinks.begin());
  const back = <BackLink href={`/dashboard/${environment}/links`} text={t('links.title')} />;
  if (!loaded.ok) {
    return (
      <>
        {back}
        <PageTitle title={t('links.create')} />
        {session.merchant.status === 'active' ? (
          <Notice title={t('noPermission.title')} text={t('noPermission.text')} />
        ) : (
          <Notice title={t('suspended.rests')} />
        )}
      </>
    );
  }
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.links']}>
      {back}
      <PageTitle title={t('links.create')} />
      <LinkForm environment={environment} currency={loaded.data.currency ?? 'USD'} />
    </ClientMessages>
  );
}
