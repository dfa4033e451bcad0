import type { ReactNode } from 'react';
import { durationText } from '#app/_i18n/duration-text.ts';
import { Badge } from '#app/_ui/badge.tsx';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { AcquirerLineView } from '#server/trpc/rows.ts';
import { RateText } from './rate-text.tsx';
import { openHref } from './troubles.ts';

type View = { locale: Locale; environment: Environment };
type Account = AcquirerLineView['accounts'][number];

/** The results of an acquirer or an account; each number leads to what it counts. */
function Results({
  of,
  href,
  locale,
}: {
  of: Pick<AcquirerLineView, 'approval' | 'declined' | 'failed' | 'unknown' | 'medianMs'>;
  href: string;
  locale: Locale;
}) {
  const t = translatorOf(locale, 'operator.acquirers.results');
  const { approval, declined, failed, unknown, medianMs } = of;
  const number = (value: number, tone: string) =>
    value === 0 ? (
      <span className="text-muted">0</span>
    ) : (
      <a className={`link-quiet ${tone}`} href={href}>
        {value}
      </a>
    );
  const facts: [string, ReactNode][] = [
    [t('approval'), <RateText key="rate" rate={approval} href={href} locale={locale} />],
    [t('declined'), number(declined, '')],
    [t('failed'), number(failed, 'font-semibold text-negative')],
    [t('unknown'), number(unknown, 'text-caution')],
    [
      t('median'),
      medianMs === null ? (
        <span className="text-muted" key="none">
          –
        </span>
      ) : (
        durationText(medianMs, locale)
      ),
    ],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-[0.9375rem] tabular-nums sm:grid-cols-5">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted text-sm">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function AccountResults({ account, environment, locale }: View & { account: Account }) {
  const t = translatorOf(locale, 'operator.acquirers.results');
  const { accountId, merchantId, name, downSinceMs } = account;
  return (
    <li id={accountId ? `accountDown-${accountId}` : undefined} className="grid gap-2 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 [overflow-wrap:anywhere]">
        <span className="min-w-0">
          <PageLink className="link" href={`/operator/merchants/${merchantId}`}>
            <bdi>{account.merchantName}</bdi>
          </PageLink>
          {name !== null && (
            <>
              , <bdi>{name}</bdi>
            </>
          )}
        </span>
        {downSinceMs !== null && <Badge tone="negative">{t('down')}</Badge>}
      </p>
      <Results of={account} href={openHref(merchantId, environment, 'invoices')} locale={locale} />
    </li>
  );
}

/** What became of payments in 24 hours by acquirer, with the accounts of each. */
export function AcquirerResults({
  acquirers,
  ...view
}: View & { acquirers: readonly AcquirerLineView[] }) {
  const t = translatorOf(view.locale, 'operator.acquirers.results');
  return (
    <div className="mb-8 grid grid-cols-1 gap-4">
      <p className="max-w-prose text-muted">{t('lead')}</p>
      {acquirers.map(({ provider, title, accounts, more, ...sum }) => (
        <section key={provider} aria-labelledby={`results-${provider}`} className="card p-5">
          <h2 id={`results-${provider}`} className="mb-2 font-semibold text-lg">
            {provider === 'sandbox' ? t('cardForm') : title}
          </h2>
          <Results of={sum} href={`#accounts-${provider}`} locale={view.locale} />
          <h3 id={`accounts-${provider}`} className="mt-4 font-semibold text-[0.9375rem]">
            {t('accounts', { count: accounts.length + more })}
          </h3>
          <ul className="divide-y divide-line">
            {accounts.map((each) => (
              <AccountResults
                key={`${each.merchantId} ${each.accountId}`}
                account={each}
                {...view}
              />
            ))}
          </ul>
          {more > 0 && <p className="pt-2 text-muted text-sm">{t('more', { count: more })}</p>}
        </section>
      ))}
    </div>
  );
}
