import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { Badge } from '#app/_ui/badge.tsx';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { LinkView, OrderView } from '#server/trpc/rows.ts';
import { dashboardSession, load } from '../../../_server/api.ts';
import { viewerZone } from '../../../_server/zone.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { ActionButton } from '../../../_shared/forms/action-button.tsx';
import { Instant } from '../../../_shared/instant.tsx';
import { Poster } from '../../../_shared/links/poster.tsx';
import { Sending } from '../../../_shared/links/sending.tsx';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { Facts, Panel } from '../../../_shared/panel.tsx';
import { StatusBadge } from '../../../_shared/status-badge.tsx';
import { paidText, priceText, STATE_TONES, usesText } from '../_parts/link-words.ts';

type Props = { params: Promise<{ environment: string; linkId: string }> };
type Shown = { locale: Locale; timeZone: string };

export async function generateMetadata(): Promise<Metadata> {
  return { title: translatorOf(await requestLocale(), 'dashboard.links')('title') };
}

function LinkFacts({ link, locale, timeZone }: Shown & { link: LinkView }) {
  const t = translatorOf(locale, 'dashboard.links');
  const asked = (['note', 'email', 'phone'] as const).flatMap((name) => {
    const field = { note: link.asksNote, email: link.asksEmail, phone: link.asksPhone }[name];
    return field === 'off' ? [] : [`${t(name)}: ${t(`fields.${field}`).toLowerCase()}`];
  });
  const facts = [
    { name: t('amount'), value: <>{priceText(link, locale)}</> },
    { name: t('uses'), value: <>{usesText(link, locale)}</> },
    { name: t('paid'), value: <>{paidText(link, locale)}</> },
  ];
  if (link.maxQuantity > 1) facts.push({ name: t('quantity'), value: <>{link.maxQuantity}</> });
  if (asked.length > 0) facts.push({ name: t('asked'), value: <>{asked.join(', ')}</> });
  if (link.endsAtMs !== null) {
    facts.push({
      name: t('end'),
      value: <Instant atMs={link.endsAtMs} locale={locale} timeZone={timeZone} />,
    });
  }
  return <Facts facts={facts} />;
}

/** The newest invoices that the link made. */
function Orders({
  orders,
  link: { currency },
  base,
  locale,
  timeZone,
}: Shown & { orders: OrderView[]; link: LinkView; base: string }) {
  const t = translatorOf(locale, 'dashboard');
  if (orders.length === 0) return <p className="text-muted">{t('links.noOrders')}</p>;
  const column = orders.map(({ amountMinor }) => amountMinor);
  return (
    <ul className="divide-y divide-line text-[0.9375rem]">
      {orders.map((order) => (
        <li
          key={order.invoiceId}
          className="relative -mx-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded px-2 py-2.5 focus-within:bg-sunk hover:bg-sunk"
        >
          <PageLink
            href={`${base}/invoices/${order.invoiceId}`}
            className="font-medium tabular-nums after:absolute after:inset-0"
          >
            {formatMoney(order.amountMinor, currency, locale, column)}
            {order.quantity > 1 && ` (× ${order.quantity})`}
          </PageLink>
          <StatusBadge status={order.status} label={t(`statuses.${order.status}`)} />
          <span className="ml-auto text-muted text-sm">
            <Instant atMs={order.createdAtMs} locale={locale} timeZone={timeZone} isNarrow />
          </span>
          <span className="basis-full text-muted text-sm [overflow-wrap:anywhere] empty:hidden">
            {[order.note, order.email, order.phone].filter(Boolean).join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A link as it is sent, shown or printed, and what came of it. */
export default async function LinkPage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { environment: given, linkId } = await params;
  const { session, environment, api } = await dashboardSession(given);
  if (!session.merchant) return null;
  const [{ permissions }, loaded, timeZone] = await Promise.all([
    api.account.current(),
    load(api.links.read({ linkId: decodeURIComponent(linkId) })),
    viewerZone(session.merchant.timeZone),
  ]);
  const base = `/dashboard/${environment}`;
  const back = <BackLink href={`${base}/links`} text={t('links.title')} />;
  if (!loaded.ok) {
    return (
      <>
        {back}
        <Notice isScreen title={t('links.notFound')} />
      </>
    );
  }
  const { link, url, orders, shop } = loaded.data;
  const shown = { locale, timeZone };
  const qr = `/link/${link.code}/qr`;
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.link']}>
      <div className="print:hidden">
        {back}
        <PageTitle
          title={link.title}
          mark={<Badge tone={STATE_TONES[link.state]}>{t(`links.states.${link.state}`)}</Badge>}
        >
          {permissions.includes('invoice.create') && (
            <ActionButton
              environment={environment}
              action={{ does: 'switchLink', linkId: link.id, isOn: !link.isOn }}
              label={link.isOn ? t('links.switchOff') : t('links.switchOn')}
            />
          )}
          <a href={url} className="button button-plain">
            {t('links.openPage')}
          </a>
        </PageTitle>
        <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="grid min-w-0 grid-cols-1 gap-5 lg:order-last">
            <Panel id="sending" title={t('create.share')}>
              <img
                src={qr}
                alt={t('link.qr')}
                width={256}
                height={256}
                className="mx-auto mb-4 size-64 max-w-full rounded-card border border-line"
              />
              <Sending qr={qr} url={url} text={`${shop.name}: ${link.title}`} />
            </Panel>
            <Panel id="facts" title={t('links.facts')}>
              <LinkFacts link={link} {...shown} />
            </Panel>
          </div>
          <Panel id="orders" title={t('links.orders')}>
            <Orders orders={orders} link={link} base={base} {...shown} />
            {orders.length > 0 && (
              <a
                href={`${base}/invoices?${new URLSearchParams({ link: link.id })}`}
                className="link-quiet mt-3 inline-block"
              >
                {t('links.allOrders')}
              </a>
            )}
          </Panel>
        </div>
      </div>
      <Poster
        shop={shop}
        title={link.title}
        amount={
          'amountMinor' in link.price
            ? formatMoney(link.price.amountMinor, link.currency, locale)
            : null
        }
        url={url}
        qr={qr}
      />
    </ClientMessages>
  );
}
