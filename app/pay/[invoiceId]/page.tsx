import type { Metadata } from 'next';
import { cookies, headers } from 'next/headers';
import { after } from 'next/server';
import { isolated } from '#app/_i18n/isolated.ts';
import { formatInstant } from '#server/i18n/dates.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { refundedMinor } from '#server/refunds/types.ts';
import { Canceled, Closed, Expired, Paid, Processing } from './closed/closed-states.tsx';
import { announcementOf, methodAt, pageTitleOf, paidTitle } from './closed/state-title.ts';
import { TooMany } from './closed/too-many.tsx';
import { Trouble } from './closed/trouble.tsx';
import { UnknownInvoice } from './closed/unknown-invoice.tsx';
import { Payment } from './form/payment.tsx';
import { MerchantMark } from './frame/merchant-mark.tsx';
import { PhoneLink } from './frame/phone-link.tsx';
import { Shell } from './frame/shell.tsx';
import { Summary } from './frame/summary.tsx';
import { Live } from './live/live.tsx';
import { PayBy } from './live/pay-by.tsx';
import { BUYER_EMAIL, type LoadedInvoice, loadInvoice, noteView } from './loader.ts';
import { buyerLocale } from './locale.ts';
import { isPayable } from './state.ts';

type PageProps = {
  params: Promise<{ invoiceId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** A page that is opened again later shows the invoice's outcome and stays. */
const RETURNS_WITHIN_MS = 15 * 60_000;

/** The buyer sees the positions from the first look to the payment. */
const BOUGHT = ['form', 'processing', 'paid'];
/** A longer list would hide the content below it. */
const MAX_UNFOLDED = 12;

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { invoiceId } = await params;
  const [loaded, locale] = [await loadInvoice(invoiceId), await buyerLocale(invoiceId)];
  const t = translatorOf(locale, 'pay');
  if (loaded.kind !== 'invoice') {
    return { title: loaded.kind === 'unknown' ? t('unknown.title') : t('trouble.title') };
  }
  return { title: pageTitleOf(t, loaded) };
}

/** What was given back of a paid invoice, and what is on its way. */
function refundTexts({ invoice, merchant, refunds }: LoadedInvoice, locale: Locale): string[] {
  const t = translatorOf(locale, 'pay.refund');
  const money = (minor: bigint) => formatMoney(minor, invoice.currency, locale);
  const back = refundedMinor(refunds, 'SUCCEEDED');
  const pending = refundedMinor(refunds, 'PENDING');
  const last = refunds.findLast(({ status }) => status === 'SUCCEEDED');
  return [
    ...(last
      ? [
          t('text', {
            amount: money(back),
            date: formatInstant(last.updatedAtMs, locale, merchant.timeZone),
          }),
        ]
      : []),
    ...(pending > 0n ? [t('pending', { amount: money(pending) })] : []),
  ];
}

function State({
  loaded,
  locale,
  stay,
  begun,
  email,
}: {
  loaded: LoadedInvoice;
  locale: Locale;
  stay: boolean;
  begun: { methodId: string; outcome: string } | null;
  /** The address that the buyer last typed for a receipt. */
  email: string;
}) {
  const { invoice, merchant, state, nowMs } = loaded;
  const t = translatorOf(locale, 'pay');
  const returns = !stay && nowMs - invoice.statusChangedAtMs < RETURNS_WITHIN_MS;
  const merchantName = isolated(merchant.name);
  const common = { t, merchantName, errorUrl: invoice.errorUrl, returns };
  switch (state.kind) {
    case 'form':
      return (
        <Payment
          loaded={loaded}
          notice={state.notice}
          begun={begun}
          email={email}
          locale={locale}
        />
      );
    case 'processing':
      return (
        <Processing t={t} invoiceId={invoice.id} method={methodAt(state, loaded.accountNames)} />
      );
    case 'paid':
      return (
        <Paid
          t={t}
          title={paidTitle(t, loaded)}
          merchantName={merchantName}
          amount={formatMoney(invoice.amountMinor, invoice.currency, locale)}
          invoiceId={invoice.id}
          successUrl={invoice.successUrl}
          // A buyer who looks for a refund is not sent away.
          returns={returns && loaded.refunds.length === 0}
          refunds={refundTexts(loaded, locale)}
          hasFiscal={loaded.fiscalUrl !== null}
        />
      );
    case 'expired':
      return <Expired {...common} triedToPay={state.triedToPay} />;
    case 'canceled':
      return <Canceled {...common} triedToPay={state.triedToPay} />;
    case 'unavailable':
      // The invoice has no outcome that a buyer would come back to see, however old the link is.
      return (
        <Closed
          {...common}
          returns={!stay}
          words={{ title: t('unavailable.title'), text: t('unavailable.text') }}
        />
      );
    case 'too_many_attempts':
      return <TooMany loaded={loaded} state={state} locale={locale} />;
  }
}

async function isPhone(): Promise<boolean> {
  const list = await headers();
  return (
    list.get('sec-ch-ua-mobile') === '?1' || /Mobi|Android/i.test(list.get('user-agent') ?? '')
  );
}

export default async function PayPage({ params, searchParams }: PageProps) {
  const [{ invoiceId }, query] = [await params, await searchParams];
  const locale = await buyerLocale(invoiceId);
  const t = translatorOf(locale, 'pay');
  const loaded = await loadInvoice(invoiceId);
  if (loaded.kind === 'unknown') return <UnknownInvoice t={t} locale={locale} />;
  if (loaded.kind === 'trouble') return <Trouble t={t} locale={locale} />;

  const { invoice, merchant, state } = loaded;
  const asked = new Headers(await headers());
  // No buyer waits for it.
  after(() => noteView(loaded, asked));
  const isOpen =
    BOUGHT.includes(state.kind) && invoice.positions.length <= MAX_UNFOLDED && !(await isPhone());
  return (
    <Shell
      locale={locale}
      t={t}
      sandbox={invoice.environment === 'sandbox'}
      takesCard={state.kind === 'form'}
      seller={merchant.seller}
      start={
        <>
          <MerchantMark name={merchant.name} logoUrl={merchant.logoUrl} />
          <span className="min-w-0 break-words font-semibold max-sm:leading-tight">
            <bdi>{merchant.name}</bdi>
          </span>
        </>
      }
    >
      <main className="grid grid-cols-[minmax(0,1fr)] items-start gap-2.5 pt-2 pb-8 sm:gap-7 sm:pt-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-16 lg:pt-12 lg:pb-16">
        <div className="flex flex-col gap-4 lg:sticky lg:top-10 lg:gap-6">
          <Summary
            invoice={invoice}
            locale={locale}
            t={t}
            open={isOpen}
            // Not while a payment is processed: nothing is to be paid once more, here or by phone.
            payBy={
              isPayable(state) && (
                <PayBy
                  endDateMs={invoice.endDateMs}
                  nowMs={loaded.nowMs}
                  timeZone={merchant.timeZone}
                  locale={locale}
                  t={t}
                />
              )
            }
          />
          {state.kind === 'form' && <PhoneLink invoiceId={invoice.id} t={t} />}
        </div>
        <div id="payment" tabIndex={-1} className="min-w-0 rounded-card lg:sticky lg:top-10">
          <Live
            invoiceId={invoice.id}
            version={loaded.version}
            locale={locale}
            eager={state.kind === 'processing'}
            final={['paid', 'expired', 'canceled'].includes(state.kind)}
            title={announcementOf(t, loaded)}
          />
          <State
            loaded={loaded}
            locale={locale}
            stay={query.stay !== undefined}
            email={(await cookies()).get(BUYER_EMAIL)?.value ?? ''}
            begun={
              typeof query.begun === 'string' && typeof query.method === 'string'
                ? { methodId: query.method, outcome: query.begun }
                : null
            }
          />
        </div>
      </main>
    </Shell>
  );
}
