import type { Metadata } from 'next';
import { DEFAULT_TIME_ZONE } from '#server/merchants/types.ts';
import { viewerZone, zonesWith } from '../../../dashboard/_server/zone.ts';
import { BackLink } from '../../../dashboard/_shared/back-link.tsx';
import { PageTitle } from '../../../dashboard/_shared/page-title.tsx';
import { operatorMessages } from '../../_i18n/messages.ts';
import { MerchantForm } from '../../_parts/merchant-form.tsx';
import { operatorSession } from '../../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await operatorMessages()).t.create.title };
}

export default async function NewMerchantPage() {
  await operatorSession();
  const [{ t, locale }, timeZone] = await Promise.all([
    operatorMessages(),
    viewerZone(DEFAULT_TIME_ZONE),
  ]);
  return (
    <>
      <BackLink href="/operator/merchants" text={t.merchants.title} />
      <PageTitle title={t.create.title} />
      <MerchantForm {...{ t, locale, timeZone, zones: zonesWith(timeZone) }} />
    </>
  );
}
