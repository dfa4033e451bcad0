import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { DEFAULT_TIME_ZONE } from '#server/merchants/types.ts';
import { viewerZone, zonesWith } from '../../../dashboard/_server/zone.ts';
import { BackLink } from '../../../dashboard/_shared/back-link.tsx';
import { PageTitle } from '../../../dashboard/_shared/page-title.tsx';
import { MerchantForm } from '../../_parts/merchant-form.tsx';
import { operatorSession } from '../../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'operator.create');
  return { title: t('title') };
}

export default async function NewMerchantPage() {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator');
  await operatorSession();
  const timeZone = await viewerZone(DEFAULT_TIME_ZONE);
  return (
    <ClientMessages
      locale={locale}
      namespaces={['operator.create', 'operator.merchant', 'operator.merchants']}
    >
      <BackLink href="/operator/merchants" text={t('merchants.title')} />
      <PageTitle title={t('create.title')} />
      <MerchantForm timeZone={timeZone} zones={zonesWith(timeZone)} />
    </ClientMessages>
  );
}
