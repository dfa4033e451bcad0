'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { PageLink } from '#app/_ui/page-link.tsx';
import { refreshOrStay } from '#app/_ui/refresh-or-stay.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { LatestPaymentView } from '#server/trpc/rows.ts';
import { dashboardClient } from '../../_shared/client.ts';
import { Instant } from '../../_shared/instant.tsx';
import { useWatched } from '../../_shared/lists/use-watched.ts';

const LOOK_MS = 5_000;
/** The figures around the list are computed anew no more often than that. */
const FIGURES_MS = 60_000;

const methodOf = ({ account, cardLast4 }: LatestPaymentView): string =>
  [account, cardLast4 && `•••• ${cardLast4}`].filter(Boolean).join(' · ');

/** The payments that came in last; a new one slides in while somebody looks, and is read aloud. */
export function LatestPayments({
  environment,
  locale,
  timeZone,
  base,
  payments,
  words,
}: {
  environment: Environment;
  locale: Locale;
  timeZone: string;
  base: string;
  payments: LatestPaymentView[];
  words: { title: string; none: string; all: string; arrived: string };
}) {
  const router = useRouter();
  const [read, setRead] = useState<LatestPaymentView[] | null>(null);
  const [fresh, setFresh] = useState<readonly string[]>([]);
  const figuresAt = useRef(0);
  const shown = read ?? payments;
  useWatched(LOOK_MS, async (mayChange) => {
    const newest = await dashboardClient(environment).overview.latest.query();
    const known = new Set(shown.map(({ invoiceId }) => invoiceId));
    const added = newest.filter(({ invoiceId }) => !known.has(invoiceId));
    if (added.length === 0 || !mayChange()) return;
    setFresh(added.map(({ invoiceId }) => invoiceId));
    setRead(newest);
    if (performance.now() - figuresAt.current < FIGURES_MS) return;
    figuresAt.current = performance.now();
    await refreshOrStay(() => router.refresh());
  });
  const arrived = shown
    .filter(({ invoiceId }) => fresh.includes(invoiceId))
    .map(({ amountMinor, currency }) => formatMoney(amountMinor, currency, locale));
  return (
    <section aria-labelledby="latest" className="card @container min-w-0 overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-5 pb-2">
        <h2 id="latest" className="font-semibold">
          {words.title}
        </h2>
        {shown.length > 0 && (
          <PageLink href={`${base}/invoices?status=PAID&by=paid`} className="link text-sm">
            {words.all}
          </PageLink>
        )}
      </div>
      <p aria-live="polite" className="sr-only">
        {arrived.length > 0 && `${words.arrived}: ${arrived.join(', ')}`}
      </p>
      {shown.length === 0 && <p className="px-5 pb-5 text-muted">{words.none}</p>}
      <ul className="divide-y divide-line">
        {shown.map((payment) => (
          <li
            key={payment.invoiceId}
            className={`relative grid grid-cols-[minmax(3rem,1fr)_minmax(0,auto)] gap-x-3 px-5 py-3 focus-within:bg-sunk hover:bg-sunk ${
              fresh.includes(payment.invoiceId)
                ? 'transition duration-500 motion-reduce:transition-none motion-safe:starting:-translate-y-3 motion-safe:starting:opacity-0'
                : ''
            }`}
          >
            <PageLink
              href={`${base}/invoices/${payment.invoiceId}`}
              className="truncate outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
            >
              {payment.description}
            </PageLink>
            <span className="wrap-anywhere text-right font-semibold tabular-nums">
              {formatMoney(payment.amountMinor, payment.currency, locale)}
            </span>
            <span className="truncate text-muted text-sm">
              <bdi>{methodOf(payment)}</bdi>
            </span>
            <span className="text-right text-muted text-sm tabular-nums">
              <Instant atMs={payment.paidAtMs} {...{ locale, timeZone }} isNarrow />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
