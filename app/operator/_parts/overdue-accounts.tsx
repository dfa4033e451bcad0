import { Fragment, type ReactNode } from 'react';
import { durationText } from '#app/_i18n/duration-text.ts';
import { Badge } from '#app/_ui/badge.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { OverdueAccountView, OverdueRefundsView } from '#server/trpc/rows.ts';
import { heardFrom } from '../../dashboard/_shared/acquirer-heard.tsx';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { Facts } from '../../dashboard/_shared/panel.tsx';
import { Unfold } from '../../dashboard/_shared/unfold.tsx';

type View = { locale: Locale; timeZone: string; at: Date };
const MINUTE_MS = 60_000;

/** An age in whole minutes: everything here is at least one old. */
function ageText(sinceMs: number, at: Date, locale: Locale): string {
  return durationText(Math.floor((at.getTime() - sinceMs) / MINUTE_MS) * MINUTE_MS, locale);
}

type Account = OverdueAccountView | OverdueRefundsView;
type Item = Account['items'][number];
type Kind = 'payments' | 'refunds';

/** How far a payment came, or whether its acquirer has accepted a refund. */
function stateText(item: Item, locale: Locale): string {
  if ('status' in item) {
    return translatorOf(locale, 'acquirers.timeline')(`attempts.${item.status}`);
  }
  return translatorOf(
    locale,
    'operator.acquirers.refunds',
  )(item.isAccepted ? 'accepted' : 'unanswered');
}

function OverdueItem({
  item,
  environment,
  locale,
  timeZone,
  at,
}: View & { item: Item; environment: Account['environment'] }) {
  const t = translatorOf(locale, 'operator.acquirers');
  const { createdAtMs, nextLookAtMs, acquirerIds } = item;
  const instant = (atMs: number) => <Instant atMs={atMs} {...{ locale, timeZone }} />;
  const facts: [string, ReactNode][] = [
    [t('state'), stateText(item, locale)],
    [
      t('openSince'),
      <Fragment key="since">
        {instant(createdAtMs)} · {ageText(createdAtMs, at, locale)}
      </Fragment>,
    ],
    [t('nextLook'), nextLookAtMs === null ? t('noLook') : instant(nextLookAtMs)],
  ];
  if (acquirerIds.length > 0) {
    const ids = acquirerIds.join(' · ');
    facts.push([
      t('acquirerIds'),
      <span className="font-mono text-sm" key="ids">
        {ids}
      </span>,
    ]);
  }
  return (
    <li className="grid gap-2 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        {/* It leads to the invoice where the operator acts for its merchant, else to the merchant. */}
        <a
          className="link min-w-0 font-mono text-sm [overflow-wrap:anywhere]"
          href={`/dashboard/${environment}/invoices/${item.invoiceId}`}
        >
          {item.invoiceId}
        </a>
        <span className="font-medium tabular-nums">
          {formatMoney(item.amountMinor, item.currency, locale)}
        </span>
      </p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-[0.9375rem] lg:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted text-sm">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function AccountItem({ account, kind, ...view }: View & { account: Account; kind: Kind }) {
  const { locale, timeZone, at } = view;
  const t = translatorOf(locale, 'operator.acquirers');
  const words = translatorOf(locale, `operator.acquirers.${kind}`);
  const { title, name, environment, count, items } = account;
  const rest = count - items.length;
  return (
    <li id={`${kind}Overdue-${account.id}`} className="card p-5">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <a className="link" href={`/operator/merchants/${account.merchantId}`}>
              <bdi>{account.merchantName}</bdi>
            </a>
            , <bdi>{name === title ? title : `${name} (${title})`}</bdi>
          </span>
          <Badge tone="plain">{translatorOf(locale, 'operator.merchants')(environment)}</Badge>
        </h2>
        <p className="text-[0.9375rem]">
          <span className="font-semibold text-negative">{words('open', { count })}</span>{' '}
          <span className="text-muted">
            {t('oldest', { count, time: ageText(account.oldestAtMs, at, locale) })}
          </span>
        </p>
      </div>
      <Facts isWide facts={heardFrom({ account, locale, timeZone })} />
      <details className="mt-3">
        <Unfold>{words('show', { count })}</Unfold>
        <ul className="divide-y divide-line">
          {items.map((item) => (
            <OverdueItem key={item.id} {...{ item, environment, ...view }} />
          ))}
        </ul>
        {rest > 0 && <p className="pt-2 text-muted text-sm">{words('rest', { count: rest })}</p>}
      </details>
    </li>
  );
}

/** The accounts with payments or refunds that are open too long, each with these to unfold. */
export function OverdueAccounts({
  accounts,
  kind,
  ...view
}: View & { accounts: readonly Account[]; kind: Kind }) {
  const t = translatorOf(view.locale, `operator.acquirers.${kind}`);
  return (
    <>
      <p className="mb-5 max-w-prose text-muted">{t('lead')}</p>
      <ul className="grid grid-cols-1 gap-4" aria-label={t('list')}>
        {accounts.map((account) => (
          <AccountItem key={account.id} {...{ account, kind, ...view }} />
        ))}
      </ul>
    </>
  );
}
