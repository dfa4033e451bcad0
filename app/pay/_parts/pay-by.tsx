import type { Locale } from '#app/_i18n/locales.ts';
import { ClockIcon } from '#app/_ui/icons.tsx';
import type { PayMessages } from '../_i18n/en.ts';
import { formatInstant } from './dates.ts';

/** Until when the invoice can be paid: exact, with its zone, for those without a script too. */
export function PayBy({
  endDateMs,
  timeZone,
  locale,
  t,
}: {
  endDateMs: number;
  timeZone: string;
  locale: Locale;
  t: PayMessages['summary'];
}) {
  return (
    <p className="flex items-start gap-2 text-muted text-sm">
      <ClockIcon className="mt-0.5 size-4 shrink-0" />
      <span>
        {t.payBy}{' '}
        <time dateTime={new Date(endDateMs).toISOString()}>
          {formatInstant(endDateMs, locale, timeZone)}
        </time>
      </span>
    </p>
  );
}
