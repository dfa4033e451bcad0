import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { isolated } from '#app/_i18n/isolated.ts';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { Badge } from '#app/_ui/badge.tsx';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { InvoiceDetailView } from '#server/trpc/rows.ts';
import { dashboardSession, load } from '../../../_server/api.ts';
import { viewerZone } from '../../../_server/zone.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { CallbackSchedule } from '../../../_shared/callback-schedule.tsx';
import { CopyButton } from '../../../_shared/copy-button.tsx';
import { CopyableId } from '../../../_shared/copyable-id.tsx';
import { ActionButton } from '../../../_shared/forms/action-button.tsx';
import { shortened } from '../../../_shared/forms/question-text.ts';
import { Instant } from '../../../_shared/instant.tsx';
import { KeepFresh } from '../../../_shared/lists/keep-fresh.tsx';
import { NewestShown } from '../../../_shared/lists/newest-shown.tsx';
import { Notice } from '../../../_shared/notice.tsx';
import { Facts, Panel } from '../../../_shared/panel.tsx';
import { CallbackBadge, StatusBadge } from '../../../_shared/status-badge.tsx';
import { WebAddress } from '../../../_shared/web-address.tsx';
import { NotHere } from '../../../_shell/not-here.tsx';
import { Addresses, addressesOf, Description, Positions } from '../_parts/invoice-panels.tsx';
import { RefundDialog } from '../_parts/refund-dialog.tsx';
import { RefundPanel, refundableOf } from '../_parts/refund-panel.tsx';
import { ResendReceipt } from '../_parts/resend-receipt.tsx';
import { Timeline } from '../_parts/timeline.tsx';

type Props = { params: Promise<{ environment: string; invoiceId: string }> };

type View = { locale: Locale; timeZone: string; environment: Environment; data: InvoiceDetailView };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.invoices');
  return { title: t('title') };
}

function Actions({
  locale,
  environment,
  data,
  permissions,
}: Pick<View, 'locale' | 'environment' | 'data'> & { permissions: string[] }) {
  const t = translatorOf(locale, 'dashboard');
  const { invoice, callback, invoiceUrl, receiptUrl } = data;
  const invoiceId = invoice.id;
  const amount = formatMoney(invoice.amountMinor, invoice.currency, locale);
  const refundable = refundableOf({ locale, environment, data }, permissions);
  const what = isolated(`${amount}, ${shortened(invoice.description)}`);
  const mayCancel = invoice.status === 'PENDING' && permissions.includes('invoice.cancel');
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 print:hidden">
      <CopyButton text={invoiceUrl} label={t('invoice.copyLink')} done={t('invoice.copied')} />
      <a href={receiptUrl ?? invoiceUrl} className="button button-plain">
        {receiptUrl ? t('invoice.receipt') : t('invoice.openPage')}
      </a>
      {callback && permissions.includes('callback.resend') && (
        <ActionButton
          environment={environment}
          action={{ does: 'resendCallback', named: invoiceId }}
          label={t('invoice.resend')}
          done={t('invoice.resendDone')}
          confirmation={{
            title: t('create.resendTitle'),
            text: t('create.resendText', { url: isolated(invoice.callbackUrl ?? '') }),
            confirm: t('invoice.resend'),
            back: t('back'),
          }}
        />
      )}
      {data.receiptEmail !== null && permissions.includes('receipt.resend') && (
        <ResendReceipt {...{ environment, invoiceId }} email={data.receiptEmail} />
      )}
      {refundable && <RefundDialog {...refundable} label={t('refund.action')} />}
      {mayCancel && (
        <ActionButton
          environment={environment}
          action={{ does: 'cancelInvoice', invoiceId }}
          label={t('invoice.cancel')}
          done={t('invoice.canceled')}
          confirmation={{
            title: t('invoice.cancelTitle'),
            text:
              invoice.callbackUrl === null
                ? t('invoice.cancelTextUntold', { what })
                : t('invoice.cancelText', {
                    what,
                    host: isolated(new URL(invoice.callbackUrl).host),
                  }),
            confirm: t('invoice.cancel'),
            back: t('back'),
            isDestructive: true,
          }}
        />
      )}
    </div>
  );
}

/** What the buyer typed at the reusable link that the invoice came from. */
function linkFacts({ locale, environment, data: { linkUse } }: View) {
  if (!linkUse) return [];
  const t = translatorOf(locale, 'dashboard.links');
  const { linkId, linkTitle, quantity, note, email, phone } = linkUse;
  const typed = Object.entries({ note, email, phone }).flatMap(([name, text]) =>
    text === null
      ? []
      : [{ name: t(name as 'note' | 'email' | 'phone'), value: <bdi>{text}</bdi> }],
  );
  const link = (
    <PageLink href={`/dashboard/${environment}/links/${linkId}`} className="link">
      <bdi>{linkTitle}</bdi>
    </PageLink>
  );
  return [
    { name: t('one'), value: link },
    ...(quantity > 1 ? [{ name: t('quantity'), value: <>{quantity}</> }] : []),
    ...typed,
  ];
}

function Summary(view: View) {
  const { locale, timeZone, data } = view;
  const t = translatorOf(locale, 'dashboard');
  const { invoice, callback } = data;
  const instant = (atMs: number) => <Instant atMs={atMs} locale={locale} timeZone={timeZone} />;
  const id = (value: string) => (
    <CopyableId id={value} copy={t('callbacks.copyId')} copied={t('invoice.copied')} />
  );
  const facts = [
    { name: t('invoice.id'), value: id(invoice.id) },
    { name: t('invoices.transaction'), value: id(invoice.merchantTransactionId) },
    { name: t('invoices.created'), value: instant(invoice.createdAtMs) },
    { name: t('invoice.ends'), value: instant(invoice.endDateMs) },
    ...linkFacts(view),
  ];
  // The time of expiry stands above.
  if (invoice.status === 'PAID' || invoice.status === 'CANCELED') {
    facts.push({
      name: t(`statuses.${invoice.status}`),
      value: instant(invoice.statusChangedAtMs),
    });
  }
  const paying = data.timeline.find((each) => each.kind === 'payment' && each.fee !== null);
  if (paying?.kind === 'payment' && paying.fee) {
    facts.push({
      name: translatorOf(locale, 'acquirers.timeline')('fee'),
      value: <>{formatMoney(paying.fee.amountMinor, paying.fee.currency, locale)}</>,
    });
  }
  if (callback) {
    const label = t(`callbackStates.${callback.state}`);
    facts.push({
      name: t('invoices.callback'),
      value: (
        <div className="grid justify-items-start gap-1">
          <CallbackBadge state={callback.state} label={label} />
          <CallbackSchedule {...{ locale, timeZone, callback }} />
        </div>
      ),
    });
  }
  return <Facts facts={facts} />;
}

/** The link and a code for a phone, for a buyer who is not on the merchant's site. */
function Share({ locale, environment, data: { invoice, invoiceUrl } }: View) {
  const t = translatorOf(locale, 'dashboard');
  return (
    <Panel id="share" title={t('create.share')}>
      <img
        src={`/pay/${invoice.id}/qr`}
        alt={t('invoice.qr')}
        width={176}
        height={176}
        className="mx-auto mb-3 size-44 rounded-lg border border-line"
      />
      <p>
        <WebAddress url={invoiceUrl} />
      </p>
      <PageLink
        href={`/dashboard/${environment}/invoices/${invoice.id}/link`}
        className="button button-plain button-compact mt-3"
      >
        {t('create.show')}
      </PageLink>
    </Panel>
  );
}

function Screen(view: View & { permissions: string[] }) {
  const { locale, timeZone, environment, data } = view;
  const t = translatorOf(locale, 'dashboard');
  const { invoice, callback, timeline, paymentCount, refunds } = data;
  const isGoingOn =
    invoice.status === 'PENDING' ||
    callback?.state === 'pending' ||
    timeline.some((each) => each.kind === 'email' && each.email.state === 'waiting') ||
    refunds?.refunds.some(({ status }) => status === 'PENDING') === true;
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.refund', 'dashboard.receiptEmail']}>
      <KeepFresh environment={environment} isGoingOn={isGoingOn} />
      <BackLink href={`/dashboard/${environment}/invoices`} text={t('invoice.back')} />
      <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-[1_1_18rem]">
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="wrap-anywhere font-semibold text-2xl tabular-nums tracking-tight sm:text-3xl">
              {formatMoney(invoice.amountMinor, invoice.currency, locale)}
            </h1>
            <StatusBadge status={invoice.status} label={t(`statuses.${invoice.status}`)} />
            {data.isDisputed && (
              <Badge tone="negative">{translatorOf(locale, 'acquirers.disputes')('badge')}</Badge>
            )}
          </div>
          <Description text={invoice.description} whole={t('invoice.wholeDescription')} />
        </div>
        <Actions {...view} />
      </header>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 grid-cols-1 gap-5">
          <Panel id="timeline" title={t('invoice.timeline')}>
            <NewestShown
              write={(counts) => t('invoice.newestPayments', counts)}
              shown={timeline.filter(({ kind }) => kind === 'payment').length}
              total={paymentCount}
            />
            <NewestShown
              write={(counts) => t('callbacks.newestShown', counts)}
              shown={timeline.filter(({ kind }) => kind === 'callback').length}
              total={callback?.attemptCount ?? 0}
            />
            <Timeline
              entries={timeline}
              locale={locale}
              timeZone={timeZone}
              callbackHref={
                view.permissions.includes('business.read')
                  ? `/dashboard/${environment}/callbacks/${invoice.id}`
                  : null
              }
              requestsHref={
                view.permissions.includes('request.read')
                  ? `/dashboard/${environment}/developers/requests`
                  : null
              }
            />
          </Panel>
          <Panel id="positions" title={t('invoice.positions')}>
            <Positions invoice={invoice} locale={locale} />
          </Panel>
          {invoice.merchantData && (
            <Panel id="merchant-data" title={t('invoice.merchantData')}>
              <pre className="max-h-80 overflow-auto whitespace-pre-wrap break-all wire text-sm">
                {invoice.merchantData}
              </pre>
            </Panel>
          )}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-5">
          {invoice.status === 'PENDING' && <Share {...view} />}
          <RefundPanel {...view} />
          <Panel id="summary" title={t('invoice.summary')}>
            <Summary {...view} />
          </Panel>
          {addressesOf(invoice).length > 0 && (
            <Panel id="addresses" title={t('invoice.addresses')}>
              <Addresses locale={locale} invoice={invoice} />
            </Panel>
          )}
        </div>
      </div>
    </ClientMessages>
  );
}

export default async function InvoicePage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { environment: given, invoiceId: segment } = await params;
  const { session, environment, api } = await dashboardSession(given);
  if (!session.merchant) return null;
  const invoiceId = decodeURIComponent(segment);
  const [account, timeZone, loaded] = await Promise.all([
    api.account.current(),
    viewerZone(session.merchant.timeZone),
    load(api.invoices.read({ invoiceId })),
  ]);
  if (!loaded.ok && loaded.reason === 'forbidden') {
    return <Notice isScreen title={t('noPermission.title')} text={t('noPermission.text')} />;
  }
  if (!loaded.ok) {
    const found = await load(api.invoices.find({ invoiceId }));
    return (
      <NotHere
        locale={locale}
        here={{ merchantId: session.merchant.id, environment, list: 'invoices' }}
        invoiceId={invoiceId}
        place={found.ok ? found.data : null}
        missing={{ title: t('notFound.title'), text: t('notFound.text') }}
        back={t('invoice.back')}
      />
    );
  }
  const { permissions } = account;
  const view = { locale, timeZone, environment, data: loaded.data, permissions };
  return <Screen {...view} />;
}
