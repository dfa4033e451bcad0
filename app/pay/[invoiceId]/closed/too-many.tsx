import { isolated } from '#app/_i18n/isolated.ts';
import { formatTime } from '#server/i18n/dates.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { OpenChallenge } from '../frame/notices.tsx';
import { BuyerTime } from '../live/buyer-time.tsx';
import type { LoadedInvoice } from '../loader.ts';
import type { PayState } from '../state.ts';
import { Closed } from './closed-states.tsx';

const MINUTE_MS = 60_000;

/** There is no form for now, or for good; a link leads to a challenge that is still open. */
export function TooMany({
  loaded,
  state: { challengeUrl, nextTryAtMs },
  locale,
}: {
  loaded: LoadedInvoice;
  state: Extract<PayState, { kind: 'too_many_attempts' }>;
  locale: Locale;
}) {
  const { invoice, merchant } = loaded;
  const t = translatorOf(locale, 'pay');
  // Whole minutes are shown: a minute that has begun still counts, except the last.
  const wholeAtMs = Math.ceil((nextTryAtMs ?? 0) / MINUTE_MS) * MINUTE_MS;
  const shownAtMs = wholeAtMs <= invoice.endDateMs ? wholeAtMs : (nextTryAtMs ?? 0);
  const inShop = formatTime(shownAtMs, locale, merchant.timeZone);
  const time = <BuyerTime atMs={shownAtMs} format="time" locale={locale} inShop={inShop} />;
  const text = nextTryAtMs ? t.rich('tooMany.wait', { time: () => time }) : t('tooMany.over');
  return (
    <div className="space-y-5">
      {challengeUrl && <OpenChallenge url={challengeUrl} text={t('openChallenge.last')} t={t} />}
      <Closed
        t={t}
        merchantName={isolated(merchant.name)}
        errorUrl={invoice.errorUrl}
        // It is no error: the page itself shows when the buyer can go on, or that the time is up.
        returns={false}
        words={{ title: t('tooMany.title'), text }}
      />
    </div>
  );
}
