import type { Metadata } from 'next';
import { dashboardMessages } from '../../../_i18n/messages.ts';
import { workMessages } from '../../../_i18n/work-messages.ts';
import { dashboardSession, load } from '../../../_server/api.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { InvoiceForm } from '../_parts/invoice-form.tsx';
import { suggestedReference } from '../_parts/suggested-reference.ts';

type Props = { params: Promise<{ environment: string }> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await workMessages()).create.title };
}

/** An invoice made by hand: its page's link can be sent to a buyer. */
export default async function NewInvoicePage({ params }: Props) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, work, loaded, settings] = await Promise.all([
    dashboardMessages(),
    workMessages(),
    load(api.paymentLinks.begin()),
    api.settings.read(),
  ]);
  const back = <BackLink href={`/dashboard/${environment}/invoices`} text={t.invoices.title} />;
  if (!loaded.ok) {
    return (
      <>
        {back}
        <PageTitle title={work.create.title} />
        {session.merchant.status === 'active' ? (
          <Notice title={t.noPermission.title} text={t.noPermission.text} />
        ) : (
          <Notice title={t.suspended.rests} />
        )}
      </>
    );
  }
  // Words with figures in them are functions, which do not reach the browser: their texts do.
  const { hours, days, ...words } = work.create;
  const periods = [
    { hours: 1, text: hours(1) },
    { hours: 24, text: hours(24) },
    { hours: 72, text: days(3) },
    { hours: 168, text: days(7) },
    { hours: 720, text: days(30) },
  ];
  return (
    <>
      {back}
      <PageTitle title={words.title} />
      <p className="-mt-3 mb-5 text-muted">{words.lead}</p>
      <InvoiceForm
        environment={environment}
        locale={locale}
        t={words}
        periods={periods}
        brand={{ name: settings.name, logoUrl: settings.logoUrl, color: settings.brandColor }}
        addresses={loaded.data.addresses}
        reference={suggestedReference(Date.now())}
      />
    </>
  );
}
