'use client';

import { formatMoney } from '#server/lib/money.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';
import { parseAmount } from './amount-text.ts';
import { type Draft, type FormWords, totalOfDraft } from './invoice-draft.ts';

/** The page that the buyer gets, small: nothing in it can be pressed. */
export function InvoicePreview({
  t,
  locale,
  draft,
  merchantName,
}: {
  t: FormWords;
  locale: DashboardLocale;
  draft: Draft;
  merchantName: string;
}) {
  const { currency, positions, description } = draft;
  const total = totalOfDraft(positions);
  const sum = formatMoney(total ?? 0n, currency, locale);
  return (
    <section aria-labelledby="preview" className="lg:sticky lg:top-6">
      <h2 id="preview" className="mb-2 text-muted text-sm">
        {t.preview}
      </h2>
      <div className="card overflow-hidden">
        <div className="grid gap-1 border-line border-b bg-sunk p-5">
          <p className="font-semibold text-sm">{merchantName}</p>
          <p className="font-semibold text-2xl tabular-nums tracking-tight">{sum}</p>
          <p className="text-muted text-sm [overflow-wrap:anywhere]">{description || '…'}</p>
        </div>
        <ul className="divide-y divide-line px-5 py-2 text-sm">
          {positions.map(({ key, title, amount }) => {
            const minor = parseAmount(amount);
            return (
              <li key={key} className="flex justify-between gap-3 py-2">
                <span className="min-w-0 [overflow-wrap:anywhere]">{title || '…'}</span>
                <span className="whitespace-nowrap tabular-nums">
                  {minor === null ? '–' : formatMoney(minor, currency, locale)}
                </span>
              </li>
            );
          })}
        </ul>
        <p className="mx-5 mb-5 rounded-control bg-accent px-4 py-2.5 text-center font-semibold text-on-accent">
          {t.previewPay} {sum}
        </p>
      </div>
    </section>
  );
}
