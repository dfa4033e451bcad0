import type { Metadata } from 'next';
import Link from 'next/link';
import type { CallbackListItem } from '#server/trpc/rows.ts';
import type { DashboardMessages } from '../../_i18n/en.ts';
import { type DashboardLocale, dashboardMessages } from '../../_i18n/messages.ts';
import { ActionButton } from '../../_parts/action-button.tsx';
import { Instant } from '../../_parts/instant.tsx';
import type { SearchParams } from '../../_parts/invoice-query.ts';
import { ListKeys } from '../../_parts/list-keys.tsx';
import { Notice } from '../../_parts/notice.tsx';
import { PageTitle } from '../../_parts/page-title.tsx';
import { CallbackBadge, StatusBadge } from '../../_parts/status-badge.tsx';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

const STATES = ['exhausted', 'pending', 'delivered'] as const;
const RESEND_HOURS = 24;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.callbacks.title };
}

function Delivery({
  callback,
  t,
  locale,
  timeZone,
  environment,
}: {
  callback: CallbackListItem;
  t: DashboardMessages;
  locale: DashboardLocale;
  timeZone: string;
  environment: string;
}) {
  const words = t.callbacks;
  const instant = (at: Date) => <Instant atMs={at.getTime()} locale={locale} timeZone={timeZone} />;
  return (
    <li className="relative grid gap-1 p-4 focus-within:bg-sunk hover:bg-sunk">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CallbackBadge state={callback.state} label={t.callbackStates[callback.state]} />
        <Link
          href={`/dashboard/${environment}/invoices/${callback.invoiceId}`}
          prefetch={false}
          data-row=""
          className="min-w-0 font-medium outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-focus"
        >
          {callback.host}
        </Link>
        <StatusBadge status={callback.invoiceStatus} label={t.statuses[callback.invoiceStatus]} />
        <span className="ml-auto text-muted text-sm">{instant(callback.createdAt)}</span>
      </div>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        {words.attempts}: {callback.attemptCount}
        {callback.lastReason && ` · ${callback.lastReason}`}
        {callback.nextAttemptAt && (
          <>
            {' '}
            · {t.invoice.next} {instant(callback.nextAttemptAt)}
          </>
        )}
      </p>
    </li>
  );
}

function StateLinks({ t, path, state }: { t: DashboardMessages; path: string; state: string }) {
  const links = [
    { value: '', text: t.callbacks.all },
    ...STATES.map((each) => ({ value: each, text: t.callbackStates[each] })),
  ];
  return (
    <nav aria-label={t.callbacks.states} className="mb-4">
      <ul className="flex flex-wrap gap-2 text-sm">
        {links.map(({ value, text }) => (
          <li key={value}>
            <a
              href={value === '' ? path : `${path}?state=${value}`}
              aria-current={value === state ? 'true' : undefined}
              className={`inline-block rounded-full border px-3 py-1.5 ${
                value === state
                  ? 'border-accent font-semibold text-accent'
                  : 'border-line text-muted'
              }`}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export default async function CallbacksPage({ params, searchParams }: Props) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, search, timeZone, { permissions }] = await Promise.all([
    dashboardMessages(),
    searchParams,
    viewerZone(session.merchant.timeZone),
    api.account.current(),
  ]);
  const words = t.callbacks;
  const path = `/dashboard/${environment}/callbacks`;
  const state = STATES.find((each) => each === search.state);
  const cursor = typeof search.after === 'string' ? search.after.slice(0, 400) : null;
  const states = state ? [state] : [];
  const { callbacks, nextCursor } = await api.callbacks.list({ states, cursor });
  const older = new URLSearchParams({ ...(state && { state }), after: nextCursor ?? '' });
  return (
    <>
      <PageTitle title={words.title}>
        {permissions.includes('callback.resend') && (
          <ActionButton
            environment={environment}
            action={{ does: 'resendFailed', sinceHours: RESEND_HOURS }}
            label={words.resendAll}
            confirmation={{
              title: words.resendTitle,
              text: words.resendText,
              confirm: words.resendConfirm,
              back: words.back,
            }}
          />
        )}
      </PageTitle>
      <StateLinks t={t} path={path} state={state ?? ''} />
      {callbacks.length === 0 ? (
        <Notice title={words.empty} text={words.emptyText} />
      ) : (
        <ul className="card divide-y divide-line overflow-hidden">
          {callbacks.map((callback) => (
            <Delivery
              key={callback.invoiceId}
              {...{ callback, t, locale, timeZone, environment }}
            />
          ))}
        </ul>
      )}
      {nextCursor !== null && (
        <p className="mt-4 text-right">
          <a href={`${path}?${older}`} className="button button-plain">
            {t.invoices.older}
          </a>
        </p>
      )}
      <ListKeys />
    </>
  );
}
