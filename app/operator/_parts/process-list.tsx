import { durationText } from '#app/_i18n/duration-text.ts';
import type { OperatorOverview } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { Panel } from '../../dashboard/_shared/panel.tsx';
import type { OperatorMessages } from '../_i18n/en.ts';
import type { OperatorLocale } from '../_i18n/messages.ts';

/** What runs, by its own word. */
export function ProcessList({
  t,
  locale,
  timeZone,
  overview: { processes, at },
}: {
  t: OperatorMessages;
  locale: OperatorLocale;
  timeZone: string;
  overview: OperatorOverview;
}) {
  const words = t.overview;
  return (
    <Panel id="processes" title={words.processes}>
      {processes.length === 0 && <p className="text-muted">{words.noProcesses}</p>}
      <ul className="divide-y divide-line">
        {processes.map((each) => (
          <li key={each.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5">
            <span className="w-20 font-medium">{each.kind}</span>
            <span className="min-w-0 flex-1 basis-52 font-mono text-muted text-sm [overflow-wrap:anywhere]">
              {each.host} · {each.pid}
            </span>
            {each.driver && (
              <span
                className={`text-sm ${each.driver === 'fallback' ? 'text-caution' : 'text-muted'}`}
              >
                {words.driver}: {words.drivers[each.driver]}
              </span>
            )}
            <span className="text-muted text-sm">
              {words.started} <Instant atMs={each.startedAtMs} {...{ locale, timeZone }} />
            </span>
            <span
              className={`badge rounded-full px-2.5 py-0.5 text-sm ${
                each.isSilent ? 'bg-negative-soft text-negative' : 'bg-positive-soft text-positive'
              }`}
            >
              {each.isSilent && `${words.silentBadge} · `}
              {durationText(Math.max(0, at.getTime() - each.lastSeenAtMs), locale)} {words.ago}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
