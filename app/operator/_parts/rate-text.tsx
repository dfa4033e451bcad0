import { translatorOf } from '#server/i18n/translator.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { AcquirerLineView } from '#server/trpc/rows.ts';

type Rate = AcquirerLineView['approval'];

function percent({ good, bad }: Rate['day'], locale: Locale): string {
  if (good + bad === 0) return '–';
  const format = numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  // 99.97 % of many is not all.
  const share = bad === 0 ? 1 : Math.min(good / (good + bad), 0.999);
  return format.format(share);
}

/** A rate of 24 hours as a link to what it counts, and below it that of seven days. */
export function RateText({ rate, href, locale }: { rate: Rate; href: string; locale: Locale }) {
  const t = translatorOf(locale, 'operator.rates');
  const { good, bad } = rate.day;
  const tone = bad > good ? 'font-semibold text-negative' : '';
  return (
    <>
      {good + bad === 0 ? (
        <span className="text-muted">–</span>
      ) : (
        <a
          className={`link-quiet relative z-[1] ${tone}`}
          href={href}
          title={t('of', { good, all: good + bad })}
        >
          {percent(rate.day, locale)}
        </a>
      )}
      <span className="block whitespace-nowrap text-muted text-xs">
        {t('week', { rate: percent(rate.week, locale) })}
      </span>
    </>
  );
}
