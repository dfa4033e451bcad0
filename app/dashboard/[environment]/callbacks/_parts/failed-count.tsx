import { useTranslations } from 'use-intl/react';
import { countText } from '#app/_i18n/count-text.ts';
import type { Locale } from '#server/lib/locales.ts';

const SHOWN_HOSTS = 5;

/** The failed callbacks that would be sent again, by host, the largest number first. */
export type FailedCounts = {
  hosts: { host: string; count: number }[];
  /** Whether every callback was counted. */
  isWhole: boolean;
};

/** Says how many failed callbacks would be sent again, and to which hosts. */
export function FailedCount({ counted, locale }: { counted: FailedCounts; locale: Locale }) {
  const t = useTranslations('dashboard.callbacks');
  const { hosts, isWhole } = counted;
  if (hosts.length === 0) return <p>{isWhole ? t('none') : t('noneAmongNewest')}</p>;
  const total = hosts.reduce((sum, { count }) => sum + count, 0);
  const shown = hosts.slice(0, SHOWN_HOSTS);
  const more = hosts.length - shown.length;
  return (
    <>
      <p className="font-medium">
        {isWhole ? t('willSend') : t('willSendAtLeast')} {countText(total, false, locale)}
      </p>
      {!isWhole && <p className="mt-1 text-muted text-sm">{t('newestCounted')}</p>}
      <ul className="mt-1 text-muted text-sm">
        {shown.map(({ host, count }) => (
          <li key={host} className="[overflow-wrap:anywhere]">
            {countText(count, false, locale)} {t('toHosts')} {host}
          </li>
        ))}
        {more > 0 && (
          <li>
            {isWhole ? t('moreHosts') : t('moreHostsAtLeast')} {countText(more, false, locale)}
          </li>
        )}
      </ul>
    </>
  );
}
