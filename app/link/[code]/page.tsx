import { randomUUID } from 'node:crypto';
import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { isolated } from '#app/_i18n/isolated.ts';
import { AlertIcon, ClockIcon } from '#app/_ui/icons.tsx';
import { formatInstant } from '#server/i18n/dates.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { Outcome } from '../../pay/[invoiceId]/closed/outcome.tsx';
import { Trouble } from '../../pay/[invoiceId]/closed/trouble.tsx';
import { UnknownInvoice } from '../../pay/[invoiceId]/closed/unknown-invoice.tsx';
import { MerchantMark } from '../../pay/[invoiceId]/frame/merchant-mark.tsx';
import { Shell } from '../../pay/[invoiceId]/frame/shell.tsx';
import { loadLink } from './loader.ts';
import { linkLocale } from './locale.ts';
import { OrderForm } from './order-form.tsx';
import { keptOrder, TYPED_ORDER } from './typed-order.ts';

type PageProps = {
  params: Promise<{ code: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { code } = await params;
  const [loaded, locale] = [await loadLink(code), await linkLocale(code)];
  const t = translatorOf(locale, 'pay');
  if (loaded.kind === 'link') {
    return { title: t('pageTitle', { merchant: isolated(loaded.merchant.name) }) };
  }
  return { title: loaded.kind === 'unknown' ? t('unknown.title') : t('trouble.title') };
}

/** A link that takes nobody, and why. */
function Refused({ icon, title, children }: { icon: ReactNode; title: string; children: string }) {
  return (
    <Outcome tone="plain" icon={icon} title={title}>
      <p>{children}</p>
    </Outcome>
  );
}

/** Where buyers of a link say what they pay for, and how much; no script is needed. */
export default async function LinkPage({ params, searchParams }: PageProps) {
  const [{ code }, query] = [await params, await searchParams];
  const locale = await linkLocale(code);
  const t = translatorOf(locale, 'pay');
  const loaded = await loadLink(code);
  if (loaded.kind === 'unknown') return <UnknownInvoice t={t} locale={locale} />;
  if (loaded.kind === 'trouble') return <Trouble t={t} locale={locale} />;
  const { link, merchant } = loaded;
  const named = { merchant: isolated(merchant.name) };
  const isOpen = link.state === 'open';
  const faults = isOpen ? [query.fault ?? []].flat() : [];
  const typed = faults.length > 0 ? (await cookies()).get(TYPED_ORDER)?.value : undefined;
  const content = {
    open: (
      <OrderForm
        link={link}
        faults={faults}
        typed={keptOrder(typed)}
        formKey={randomUUID()}
        locale={locale}
        t={t}
      />
    ),
    off: (
      <Refused icon={<AlertIcon className="size-8" />} title={t('link.off.title')}>
        {t('link.off.text', named)}
      </Refused>
    ),
    ended: (
      <Refused icon={<ClockIcon className="size-8" />} title={t('link.ended.title')}>
        {t('link.ended.text', {
          ...named,
          time: formatInstant(link.endsAtMs ?? 0, locale, merchant.timeZone),
        })}
      </Refused>
    ),
    sold_out: (
      <Refused icon={<AlertIcon className="size-8" />} title={t('link.soldOut.title')}>
        {t('link.soldOut.text', named)}
      </Refused>
    ),
  }[link.state];
  return (
    <Shell
      locale={locale}
      t={t}
      sandbox={link.environment === 'sandbox'}
      width="card"
      seller={merchant.seller}
      start={
        <>
          <MerchantMark name={merchant.name} logoUrl={merchant.logoUrl} />
          <span className="min-w-0 break-words font-semibold">
            <bdi>{merchant.name}</bdi>
          </span>
        </>
      }
    >
      <main id="payment" tabIndex={-1} className="rounded-card pt-5 pb-10 sm:pt-8">
        {content}
      </main>
    </Shell>
  );
}
