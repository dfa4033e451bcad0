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

/** The currency of a merchant's very first link. */
const DEFAULT_CURRENCY = 'USD';

type Props = { params: Promise<{ environment: string }> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.create');
  return { title: t('title') };
}

/** A payment link made by hand, to be shown or sent to a buyer. */
export default async function NewInvoicePage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const loaded = await load(api.paymentLinks.begin());
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
  const { currency, brand } = loaded.data;
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.create']}>
      {back}
      <PageTitle title={t('create.title')} />
      <InvoiceForm
        environment={environment}
        locale={locale}
        brand={brand}
        currency={currency ?? DEFAULT_CURRENCY}
        reference={suggestedReference(Date.now())}
      />
    </ClientMessages>
  );
}
