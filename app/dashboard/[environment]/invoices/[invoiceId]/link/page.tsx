import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { formatMoney } from '#server/lib/money.ts';
import { currentAccount, dashboardSession, load } from '../../../../_server/api.ts';
import { BackLink } from '../../../../_shared/back-link.tsx';
import { Poster } from '../../../../_shared/links/poster.tsx';
import { Notice } from '../../../../_shared/notice.tsx';
import { LinkHero } from './_parts/link-hero.tsx';

type Props = { params: Promise<{ environment: string; invoiceId: string }> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.link');
  return { title: t('title') };
}

/** A payment link to be shown, sent or printed; it tells when it is paid. */
export default async function LinkPage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { environment: given, invoiceId: segment } = await params;
  const { session, environment, api } = await dashboardSession(given);
  if (!session.merchant) return null;
  const [{ permissions, merchant }, loaded] = await Promise.all([
    currentAccount(given),
    load(api.invoices.read({ invoiceId: decodeURIComponent(segment) })),
  ]);
  const list = `/dashboard/${environment}/invoices`;
  const back = <BackLink href={list} text={t('invoices.title')} />;
  if (!loaded.ok) {
    return (
      <>
        {back}
        <Notice isScreen title={t('notFound.title')} text={t('notFound.text')} />
      </>
    );
  }
  const { invoice, invoiceUrl: url } = loaded.data;
  const amount = formatMoney(invoice.amountMinor, invoice.currency, locale);
  const { name: shop } = merchant;
  const { id, description: title } = invoice;
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.link']}>
      {back}
      <h1 className="mb-5 font-semibold text-2xl tracking-tight print:hidden">{t('link.title')}</h1>
      <LinkHero
        invoiceId={id}
        status={invoice.status}
        {...{ url, shop, title, amount }}
        anotherHref={permissions.includes('invoice.create') ? `${list}/new` : null}
        invoiceHref={`${list}/${id}`}
      />
      <Poster {...{ amount, title, url }} shop={{ name: shop }} qr={`/pay/${id}/qr`} />
    </ClientMessages>
  );
}
