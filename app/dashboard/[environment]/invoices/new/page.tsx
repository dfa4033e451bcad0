import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { dashboardSession, load } from '../../../_server/api.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { InvoiceForm } from '../_parts/invoice-form.tsx';
import { suggestedReference } from '../_parts/suggested-reference.ts';

type Props = { params: Promise<{ environment: string }> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.create');
  return { title: t('title') };
}

/** An invoice made by hand, whose payment page can be sent to a buyer. */
export default async function NewInvoicePage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [loaded, settings] = await Promise.all([
    load(api.paymentLinks.begin()),
    api.settings.read(),
  ]);
  const back = <BackLink href={`/dashboard/${environment}/invoices`} text={t('invoices.title')} />;
  if (!loaded.ok) {
    return (
      <>
        {back}
        <PageTitle title={t('create.title')} />
        {session.merchant.status === 'active' ? (
          <Notice title={t('noPermission.title')} text={t('noPermission.text')} />
        ) : (
          <Notice title={t('suspended.rests')} />
        )}
      </>
    );
  }
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.create']}>
      {back}
      <PageTitle title={t('create.title')} />
      <p className="-mt-3 mb-5 text-muted">{t('create.lead')}</p>
      <InvoiceForm
        environment={environment}
        locale={locale}
        brand={{ name: settings.name, logoUrl: settings.logoUrl, color: settings.brandColor }}
        addresses={loaded.data.addresses}
        reference={suggestedReference(Date.now())}
      />
    </ClientMessages>
  );
}
