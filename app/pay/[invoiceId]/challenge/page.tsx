import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { isolated } from '#app/_i18n/isolated.ts';
import { LockIcon } from '#app/_ui/icons.tsx';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import { formatMoney } from '#server/lib/money.ts';
import { brandName } from '#server/payments/brand.ts';
import { Trouble } from '../closed/trouble.tsx';
import { UnknownInvoice } from '../closed/unknown-invoice.tsx';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { noticeTexts } from '../form/pay-notice.tsx';
import { Shell } from '../frame/shell.tsx';
import { Live } from '../live/live.tsx';
import { challengeEnd, loadInvoice } from '../loader.ts';
import { buyerLocale } from '../locale.ts';

type PageProps = {
  params: Promise<{ invoiceId: string }>;
  searchParams: Promise<{ attempt?: string | string[] }>;
};

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { invoiceId } = await params;
  const [{ kind }, locale] = [await loadInvoice(invoiceId), await buyerLocale(invoiceId)];
  const t = translatorOf(locale, 'pay');
  return { title: t(`${kind === 'invoice' ? 'challenge' : kind}.title`) };
}

/** The sandbox's stand-in for a bank's 3-D Secure page. */
export default async function ChallengePage({ params, searchParams }: PageProps) {
  const [{ invoiceId }, query] = [await params, await searchParams];
  const locale = await buyerLocale(invoiceId);
  const t = translatorOf(locale, 'pay');
  const loaded = await loadInvoice(invoiceId);
  if (loaded.kind === 'unknown') return <UnknownInvoice t={t} locale={locale} />;
  if (loaded.kind === 'trouble') return <Trouble t={t} locale={locale} />;

  const { invoice, merchant, attempts, version } = loaded;
  const attempt = attempts.find(({ id }) => id === query.attempt);
  const waits =
    invoice.status === 'PENDING' &&
    attempt?.status === 'challenge' &&
    attempt.provider === 'sandbox';
  if (!attempt || !waits) redirect(`/pay/${invoice.id}`);

  const words = messagesAt(locale, 'pay');
  const { approve, fail, leave, outdated } = words.challenge;
  const amount = formatMoney(invoice.amountMinor, invoice.currency, locale);
  const rows = [
    [t('challenge.merchant'), merchant.name],
    [t('challenge.amount'), amount],
    [
      t('challenge.card'),
      `${brandName(attempt.cardBrand ?? '', t('challenge.card'))} •••• ${attempt.cardLast4}`,
    ],
  ] as const;
  return (
    <Shell locale={locale} t={t} sandbox={invoice.environment === 'sandbox'} width="card">
      <main id="payment" tabIndex={-1} className="py-8 lg:py-16">
        <Live
          invoiceId={invoice.id}
          version={version}
          locale={locale}
          eager={false}
          final={false}
          title=""
        />
        <div className="card overflow-hidden">
          <p className="flex items-center gap-2 border-line border-b bg-sunk px-6 py-3.5 font-semibold text-sm">
            <LockIcon className="size-4" />
            {t('challenge.bank')}
          </p>
          <div className="space-y-5 p-6">
            <div className="space-y-2">
              <h1 className="font-semibold text-2xl tracking-tight">{t('challenge.title')}</h1>
              <p className="text-muted">
                {t('challenge.text', { amount, merchant: isolated(merchant.name) })}
              </p>
            </div>
            <dl className="divide-y divide-line border-line border-y text-[0.9375rem]">
              {rows.map(([label, value]) => (
                <div key={label} className="flex flex-wrap justify-between gap-x-6 py-2.5">
                  <dt className="text-muted">{label}</dt>
                  <dd className="ml-auto min-w-0 break-words text-right font-medium tabular-nums">
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
            <p className="text-muted text-sm">
              {t(`challenge.test.${challengeEnd(attempt) ?? 'choose'}`)}
            </p>
            <ConfirmForm
              invoiceId={invoice.id}
              attemptId={attempt.id}
              t={{ approve, fail, leave }}
              noticeTexts={{ ...noticeTexts(t, words.notices), outdated }}
            />
          </div>
        </div>
      </main>
    </Shell>
  );
}
