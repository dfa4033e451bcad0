import { durationText } from '#app/_i18n/duration-text.ts';
import type { OperatorOverview } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { Panel } from '../../dashboard/_shared/panel.tsx';
import type { OperatorMessages } from '../_i18n/en.ts';
import type { OperatorLocale } from '../_i18n/messages.ts';

type View = {
  t: OperatorMessages;
  locale: OperatorLocale;
  timeZone: string;
  overview: OperatorOverview;
};

function WaitingPayments({
  t,
  locale,
  timeZone,
  payments,
  overview: { at },
}: View & { payments: OperatorOverview['failedRecoveries'] }) {
  const words = t.overview;
  return (
    <ul className="divide-y divide-line">
      {payments.map((each) => (
        <li key={each.attemptId} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5">
          <a className="link" href={`/operator/merchants/${each.merchantId}`}>
            <bdi>{each.merchantName}</bdi>
          </a>
          <span className="text-negative">{words.attemptStates[each.status] ?? each.status}</span>
          <span className="min-w-0 flex-1 basis-64 font-mono text-muted text-sm [overflow-wrap:anywhere]">
            {each.invoiceId} · {each.attemptId}
          </span>
          <span className="text-muted text-sm">
            {words.since} <Instant atMs={each.sinceMs} {...{ locale, timeZone }} /> ·{' '}
            {durationText(Math.max(0, at.getTime() - each.sinceMs), locale)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Payments that recovery tries in vain. */
export function RecoveryList(view: View) {
  const { failedRecoveries } = view.overview;
  const words = view.t.overview;
  return (
    <Panel id="recoveries" title={words.failedRecoveries}>
      {failedRecoveries.length === 0 && <p className="text-muted">{words.noFailedRecoveries}</p>}
      <WaitingPayments {...view} payments={failedRecoveries} />
    </Panel>
  );
}

/** Payments whose capture the acquirer carries out later, if it has been long. */
export function PendingCaptures(view: View) {
  const { pendingCaptures } = view.overview;
  const words = view.t.overview;
  if (pendingCaptures.length === 0) return null;
  return (
    <Panel id="captures" title={words.pendingCaptures}>
      <p className="mb-2 text-muted text-sm">{words.pendingCapturesText}</p>
      <WaitingPayments {...view} payments={pendingCaptures} />
    </Panel>
  );
}
