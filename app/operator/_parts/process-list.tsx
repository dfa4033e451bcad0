import { durationText } from '#app/_i18n/duration-text.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { OperatorOverview } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { Panel } from '../../dashboard/_shared/panel.tsx';

/** The running processes, by their own reports. */
export function ProcessList({
  locale,
  timeZone,
  overview: { processes, at },
}: {
  locale: Locale;
  timeZone: string;
  overview: OperatorOverview;
}) {
  const t = translatorOf(locale, 'operator.overview');
  return (
    <Panel id="processes" title={t('processes')}>
      {processes.length === 0 && <p className="text-muted">{t('noProcesses')}</p>}
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
                {t('driver')}: {t(`drivers.${each.driver}`)}
              </span>
            )}
            <span className="text-muted text-sm">
              {t('started')} <Instant atMs={each.startedAtMs} {...{ locale, timeZone }} />
            </span>
            <span
              className={`badge rounded-full px-2.5 py-0.5 text-sm ${
                each.isSilent ? 'bg-negative-soft text-negative' : 'bg-positive-soft text-positive'
              }`}
            >
              {each.isSilent && `${t('silentBadge')} · `}
              {durationText(Math.max(0, at.getTime() - each.lastSeenAtMs), locale)} {t('ago')}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
