import { ClockIcon } from '#app/_ui/icons.tsx';
import { formatInstant } from '#server/i18n/dates.ts';
import { messagesAt, type Translator } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { BuyerTime } from './buyer-time.tsx';
import { TimeLeft } from './time-left.tsx';

/** No zone has a longer name: `GMT+13:45`. */
const WIDEST_ZONE = 'Pacific/Chatham';

/**
 * The end of the time to pay: exact, with its zone, even without script. In the last minutes the
 * clock takes its place in the same room, because nothing below may move under a finger.
 */
export function PayBy({
  endDateMs,
  nowMs,
  timeZone,
  locale,
  t,
}: {
  endDateMs: number;
  nowMs: number;
  timeZone: string;
  locale: Locale;
  t: Translator<'pay'>;
}) {
  return (
    <div className="group/time -mx-2.5 flex flex-[0_1_auto] items-start gap-2 max-lg:basis-44 max-lg:grow lg:-my-1.5 rounded-lg px-2.5 py-1 lg:py-1.5 text-[0.8125rem] text-muted sm:text-sm has-data-clock:items-center has-data-clock:bg-caution-soft has-data-clock:text-ink">
      <ClockIcon className="mt-0.5 size-4 shrink-0 group-has-data-clock/time:mt-0 group-has-data-clock/time:text-caution" />
      <div className="grid">
        {/* It is read aloud even when covered by the clock, which is not. */}
        <p className="[grid-area:1/1] group-has-data-clock/time:opacity-0">
          {t('summary.payBy')}{' '}
          <BuyerTime
            atMs={endDateMs}
            format="instant"
            locale={locale}
            inShop={formatInstant(endDateMs, locale, timeZone)}
          />
        </p>
        {/* The buyer's own zone comes with the script, and may need another line. */}
        <p
          aria-hidden
          data-widest={`${t('summary.payBy')} ${formatInstant(endDateMs, locale, WIDEST_ZONE)}`}
          className="invisible [grid-area:1/1] after:content-[attr(data-widest)]"
        />
        <TimeLeft
          endDateMs={endDateMs}
          nowMs={nowMs}
          locale={locale}
          t={messagesAt(locale, 'pay.time')}
        />
      </div>
    </div>
  );
}
