import type { OperatorOverview } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_parts/instant.tsx';
import { Panel } from '../../dashboard/_parts/invoice-panels.tsx';
import type { OperatorMessages } from '../_i18n/en.ts';
import type { OperatorLocale } from '../_i18n/messages.ts';

/** Payments that recovery tries in vain. */
export function RecoveryList({
  t,
  locale,
  timeZone,
  overview: { failedRecoveries },
}: {
  t: OperatorMessages;
  locale: OperatorLocale;
  timeZone: string;
  overview: OperatorOverview;
}) {
  const words = t.overview;
  return (
    <Panel id="recoveries" title={words.failedRecoveries}>
      {failedRecoveries.length === 0 && <p className="text-muted">{words.noFailedRecoveries}</p>}
      <ul className="divide-y divide-line">
        {failedRecoveries.map((each) => (
          <li key={each.attemptId} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5">
            <a className="link" href={`/operator/merchants/${each.merchantId}`}>
              {each.merchantName}
            </a>
            <span className="text-negative">{words.attemptStates[each.status] ?? each.status}</span>
            <span className="min-w-0 flex-1 basis-64 font-mono text-muted text-sm [overflow-wrap:anywhere]">
              {each.invoiceId} · {each.attemptId}
            </span>
            <span className="text-muted text-sm">
              {words.since} <Instant atMs={each.sinceMs} {...{ locale, timeZone }} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
