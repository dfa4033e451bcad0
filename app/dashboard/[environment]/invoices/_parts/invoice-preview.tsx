'use client';

import { useTranslations } from 'use-intl/react';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { MerchantMark } from '../../../../pay/[invoiceId]/frame/merchant-mark.tsx';
import { type Brand, Branded } from '../../../_shared/brand-preview.tsx';
import { parseAmount } from './amount-text.ts';
import { type Draft, totalOfDraft } from './invoice-draft.ts';

/** A small copy of the buyer's page; nothing in it can be pressed. */
export function InvoicePreview({
  locale,
  draft,
  brand,
}: {
  locale: Locale;
  draft: Draft;
  brand: Brand;
}) {
  const t = useTranslations('dashboard.create');
  const { currency, positions, description } = draft;
  const total = totalOfDraft(draft);
  const sum = total === null ? null : formatMoney(total, currency, locale);
  const columnMinor = positions.map(({ amount }) => parseAmount(amount) ?? 0n);
  return (
    <section aria-labelledby="preview" className="max-lg:hidden lg:sticky lg:top-6">
      <h2 id="preview" className="mb-2 text-muted text-sm">
        {t('preview')}
      </h2>
      <Branded color={brand.color} className="card overflow-hidden">
        <div className="grid gap-1 border-line border-b bg-sunk p-5">
          <div className="mb-2 flex min-w-0 items-center gap-3">
            <MerchantMark name={brand.name} logoUrl={brand.logoUrl} />
            <p className="min-w-0 break-words font-semibold text-sm">
              <bdi>{brand.name}</bdi>
            </p>
          </div>
          <p className="text-muted text-sm [overflow-wrap:anywhere]">
            {description ? <bdi>{description}</bdi> : '…'}
          </p>
          <p className="font-semibold text-2xl tabular-nums tracking-tight">{sum ?? '–'}</p>
        </div>
        <ul className="divide-y divide-line px-5 py-2 text-sm empty:py-2.5">
          {positions.map(({ key, title, amount }) => {
            const minor = parseAmount(amount);
            return (
              <li key={key} className="flex justify-between gap-3 py-2">
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <bdi>{title || '…'}</bdi>
                </span>
                <span className="whitespace-nowrap tabular-nums">
                  {minor === null ? '–' : formatMoney(minor, currency, locale, columnMinor)}
                </span>
              </li>
            );
          })}
        </ul>
        <p className="mx-5 mb-5 rounded-control bg-(--brand,var(--accent)) px-4 py-2.5 text-center font-semibold text-(--on-brand,var(--on-accent))">
          {sum === null ? t('previewPay') : `${t('previewPay')} ${sum}`}
        </p>
      </Branded>
    </section>
  );
}
