import { countText } from '#app/_i18n/count-text.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { FailingHostView } from '#server/trpc/rows.ts';
import { Reason } from '../../../_shared/reason.tsx';

/** The hosts that do not accept callbacks, the worst first; each links to its callbacks. */
export function FailingHosts({
  hosts,
  locale,
  path,
}: {
  hosts: FailingHostView[];
  locale: Locale;
  path: string;
}) {
  const t = translatorOf(locale, 'dashboard.callbacks');
  if (hosts.length === 0) return null;
  return (
    <section aria-labelledby="failing" className="card @container mb-5 overflow-hidden">
      <div className="flex flex-wrap items-baseline gap-x-3 px-4 pt-4">
        <h2 id="failing" className="font-semibold">
          {t('failing')}
        </h2>
        <p className="text-muted text-sm">{t('failingText')}</p>
      </div>
      <ul className="mt-2 divide-y divide-line">
        {hosts.map(({ host, exhausted, retrying, reason }) => (
          <li
            key={host}
            className="relative grid gap-x-4 gap-y-0.5 px-4 py-2.5 focus-within:bg-sunk hover:bg-sunk @xl:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,1fr)] @xl:items-center"
          >
            <a
              href={`${path}?host=${encodeURIComponent(host)}`}
              className="wrap-anywhere font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-focus"
            >
              {host}
            </a>
            <span className="block text-muted text-sm first-letter:uppercase [overflow-wrap:anywhere]">
              <Reason reason={reason} t={translatorOf(locale, 'reasons')} />
            </span>
            <span className="text-sm tabular-nums @xl:text-right">
              {exhausted > 0 && (
                <span className="font-medium text-negative">
                  {t('exhausted', { count: countText(exhausted, false, locale) })}
                </span>
              )}
              {exhausted > 0 && retrying > 0 && <span className="text-muted"> · </span>}
              {retrying > 0 && (
                <span className="text-caution">
                  {t('retrying', { count: countText(retrying, false, locale) })}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
