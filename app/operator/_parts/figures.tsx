import type { ComponentProps } from 'react';
import { countText } from '#app/_i18n/count-text.ts';
import { durationText } from '#app/_i18n/duration-text.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { dateFormat } from '#server/lib/formats.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import type { OperatorOverview } from '#server/trpc/rows.ts';
import { FigureTile } from './figure-tile.tsx';
import { growth, highest, type Series, sumOfLast } from './series.ts';
import { CALLBACK_LATE_MS, EXPIRY_LATE_MS } from './troubles.ts';

const STEP_MS = 10 * 60_000;
const STEPS = 144;
const STEPS_OF_AN_HOUR = 6;

type Props = { locale: Locale; timeZone: string; overview: OperatorOverview };
type Tile = ComponentProps<typeof FigureTile>;

/** The viewer's formats for numbers, durations and pictures. */
function writerFor({ locale, timeZone, overview }: Props) {
  const t = translatorOf(locale, 'operator.overview');
  const untilMs = overview.at.getTime();
  const firstMs = overview.samples[0]?.atMs ?? untilMs;
  // A gateway younger than a day has its whole life in the picture, not a speck at its end.
  const steps = Math.min(STEPS, Math.floor((untilMs - firstMs) / STEP_MS) + 1);
  const clock = dateFormat(propertiesOf(locale).dateTag, {
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  const since = steps < STEPS ? clock.format(firstMs) : null;
  const spanText = (
    day: 'lastDay' | 'lastDayPerTenMinutes',
    shorter: 'sinceStart' | 'sinceStartPerTenMinutes',
  ) => (since === null ? t(day) : t(shorter, { time: since }));
  return {
    span: { untilMs, steps, stepMs: STEP_MS },
    t,
    spanText,
    count: (value: number, isMore = false) => countText(value, isMore, locale),
    time: (ms: number) => durationText(ms, locale),
    picture: (
      series: Series,
      format: (value: number) => string,
      span = spanText('lastDay', 'sinceStart'),
    ) => {
      const known = series.filter((value) => value !== null);
      if (known.length === 0) return t('noSamples');
      return `${span}: ${t('peak')} ${format(Math.max(...known))}`;
    },
  };
}

function waiting(props: Props): Tile[] {
  const { backlog, at, failedRecoveries, failedRecoveriesIsMore } = props.overview;
  // Samples are a minute old: without the present, the highest could be below the figure above.
  const samples = [...props.overview.samples, { ...backlog, atMs: at.getTime() }];
  const { t, span, count, time, picture } = writerFor(props);
  const oldest = highest(samples, span, (sample) => sample.oldestUndeliveredMs);
  const due = highest(samples, span, (sample) => sample.callbacksDue);
  const lag = highest(samples, span, (sample) => sample.expiryLagMs);
  const recoveries = highest(samples, span, (sample) => sample.recoveriesWaiting);
  const { oldestUndelivered } = backlog;
  return [
    {
      title: t('oldest'),
      value: oldestUndelivered ? time(backlog.oldestUndeliveredMs) : '–',
      note: oldestUndelivered ? (
        <a className="link-quiet" href={`/operator/merchants/${oldestUndelivered.merchantId}`}>
          <bdi>{oldestUndelivered.merchantName}</bdi>
        </a>
      ) : (
        t('oldestNone')
      ),
      series: oldest,
      picture: picture(oldest, time),
    },
    {
      title: t('due'),
      value: count(backlog.callbacksDue, backlog.callbacksDueIsMore),
      note: backlog.callbackLagMs > 0 && `${t('dueSince')} ${time(backlog.callbackLagMs)}`,
      series: due,
      picture: picture(due, count),
      isBad: backlog.callbackLagMs > CALLBACK_LATE_MS,
    },
    {
      title: t('expiryLag'),
      value: time(backlog.expiryLagMs),
      note: `${t('overdue')}: ${count(backlog.overdueInvoices, backlog.overdueInvoicesIsMore)}`,
      series: lag,
      picture: picture(lag, time),
      isBad: backlog.expiryLagMs > EXPIRY_LATE_MS,
    },
    {
      title: t('recoveries'),
      value: count(backlog.recoveriesWaiting, backlog.recoveriesWaitingIsMore),
      note: `${t('failed')}: ${count(failedRecoveries.length, failedRecoveriesIsMore)}`,
      series: recoveries,
      picture: picture(recoveries, count),
      isBad: failedRecoveries.length > 0,
    },
  ];
}

function done(props: Props): Tile[] {
  const { samples } = props.overview;
  const { t, span, spanText, count, picture } = writerFor(props);
  const perStep = spanText('lastDayPerTenMinutes', 'sinceStartPerTenMinutes');
  const tile = (title: string, series: Series): Tile => ({
    title,
    value: count(sumOfLast(series, STEPS_OF_AN_HOUR)),
    // The text gives the hour's sum, the picture each step.
    note: false,
    series,
    picture: picture(series, count, perStep),
  });
  return [
    tile(
      t('changes'),
      growth(samples, span, (sample) => sample.statusChanges),
    ),
    tile(
      t('attempts'),
      growth(samples, span, (sample) => sample.deliveryAttempts),
    ),
  ];
}

/** The waiting and the finished work, each with its last day. */
export function Figures(props: Props) {
  return (
    <div id="figures" className="flex flex-wrap gap-3 sm:gap-4">
      {[...waiting(props), ...done(props)].map((tile) => (
        <FigureTile key={tile.title} {...tile} />
      ))}
    </div>
  );
}
