import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { isolated } from '#app/_i18n/isolated.ts';
import { ArrowLeftIcon } from '#app/_ui/icons.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { receiptOf, receiptTitle } from '#server/receipts/receipt-content.ts';
import { Trouble } from '../closed/trouble.tsx';
import { UnknownInvoice } from '../closed/unknown-invoice.tsx';
import { MerchantMark } from '../frame/merchant-mark.tsx';
import { Shell } from '../frame/shell.tsx';
import { loadInvoice } from '../loader.ts';
import { buyerLocale } from '../locale.ts';
import { PrintButton } from './print-button.tsx';
import { Receipt } from './receipt.tsx';

type PageProps = { params: Promise<{ invoiceId: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { invoiceId } = await params;
  const locale = await buyerLocale(invoiceId);
  const loaded = await loadInvoice(invoiceId);
  const t = translatorOf(locale, 'pay');
  if (loaded.kind !== 'invoice') {
    return { title: t(`${loaded.kind}.title`) };
  }
  return { title: `${receiptTitle(loaded, locale)} · ${isolated(loaded.merchant.name)}` };
}

/** The receipt of a paid invoice: `extra_data.receipt_url` of its callback. */
export default async function ReceiptPage({ params }: PageProps) {
  const { invoiceId } = await params;
  const locale = await buyerLocale(invoiceId);
  const t = translatorOf(locale, 'pay');
  const loaded = await loadInvoice(invoiceId);
  if (loaded.kind === 'unknown') return <UnknownInvoice t={t} locale={locale} />;
  if (loaded.kind === 'trouble') return <Trouble t={t} locale={locale} />;
  const content = receiptOf(loaded, locale);
  if (!content) redirect(`/pay/${invoiceId}`);

  const { invoice, merchant } = loaded;
  return (
    <Shell
      locale={locale}
      t={t}
      sandbox={invoice.environment === 'sandbox'}
      width="column"
      // The document itself says who it is.
      seller={{ ...merchant.seller, legalName: null, legalAddress: null, taxNumber: null }}
      start={<MerchantMark name={merchant.name} logoUrl={merchant.logoUrl} />}
    >
      <main id="payment" tabIndex={-1} className="pt-6 pb-10 sm:pt-10">
        <Receipt content={content} />
        <div className="mt-6 flex flex-wrap items-center gap-3 print:hidden">
          <a className="button button-primary" href={`/pay/${invoice.id}/receipt/pdf`}>
            {t('receipt.pdf')}
          </a>
          <PrintButton>{t('receipt.print')}</PrintButton>
          <a
            className="link-quiet inline-flex items-center gap-1.5 py-2 text-sm max-sm:w-full sm:ml-auto"
            href={`/pay/${invoice.id}?stay=1`}
          >
            <ArrowLeftIcon className="size-4" />
            {t('receipt.back')}
          </a>
        </div>
      </main>
    </Shell>
  );
}
