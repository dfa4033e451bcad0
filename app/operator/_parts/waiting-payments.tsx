import { durationText } from '#app/_i18n/duration-text.ts';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { OperatorOverview } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { Panel } from '../../dashboard/_shared/panel.tsx';

type View = { locale: Locale; timeZone: string; overview: OperatorOverview };

function WaitingPayments({
  locale,
  timeZone,
  payments,
  overview: { at },
}: View & { payments: OperatorOverview['failedRecoveries'] }) {
  const t = translatorOf(locale, 'operator.overview');
  const states: Record<string, string> = messagesAt(locale, 'operator.overview.attemptStates');
  return (
    <ul className="divide-y divide-line">
      {payments.map((each) => (
        <li key={each.attemptId} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5">
          <a className="link" href={`/operator/merchants/${each.merchantId}`}>
            <bdi>{each.merchantName}</bdi>
          </a>
          <span className="text-negative">{states[each.status] ?? each.status}</span>
          <span className="min-w-0 flex-1 basis-64 font-mono text-muted text-sm [overflow-wrap:anywhere]">
            {each.invoiceId} · {each.attemptId}
          </span>
          <span className="text-muted text-sm">
            {t('since')} <Instant atMs={each.sinceMs} {...{ locale, timeZone }} /> ·{' '}
            {durationText(Math.max(0, at.getTime() - each.sinceMs), locale)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Payments that recovery tries in vain. */
export function RecoveryList(view: View) {
  const t = translatorOf(view.locale, 'operator.overview');
  const { failedRecoveries } = view.overview;
  if (failedRecoveries.length === 0) return null;
  return (
    <Panel id="recoveries" title={t('failedRecoveries')}>
      <WaitingPayments {...view} payments={failedRecoveries} />
    </Panel>
  );
}

/** Payments with a long-delayed capture at the acquirer. */
export function PendingCaptures(view: View) {
  const t = translatorOf(view.locale, 'operator.overview');
  const { pendingCaptures } = view.overview;
  if (pendingCaptures.length === 0) return null;
  return (
    <Panel id="captures" title={t('pendingCaptures')}>
      <p className="mb-2 text-muted text-sm">{t('pendingCapturesText')}</p>
      <WaitingPayments {...view} payments={pendingCaptures} />
    </Panel>
  );
}
