import type { ReactNode } from 'react';
import { durationText } from '#app/_i18n/duration-text.ts';
import { isWord, translatorOf } from '#server/i18n/translator.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { OutcomesView } from '#server/trpc/rows.ts';
import { shareText } from './overview-figures.ts';

const MOST_REASONS = 6;

type Line = {
  key: string;
  name: ReactNode;
  figure: string;
  note?: string;
  part: number;
  whole: number;
};

/** Names with their figures over bars, which a picture draws without a style of its own. */
function Bars({ lines, tone }: { lines: Line[]; tone: string }) {
  return (
    <ul className="grid gap-3">
      {lines.map(({ key, name, figure, note, part, whole }) => (
        <li key={key}>
          <p className="flex items-baseline justify-between gap-x-3">
            <span className="min-w-0 first-letter:uppercase">{name}</span>
            <span className="shrink-0 tabular-nums">
              <span className="font-semibold">{figure}</span>
              {note && <span className="text-muted text-sm"> · {note}</span>}
            </span>
          </p>
          <svg
            aria-hidden="true"
            viewBox="0 0 100 1"
            preserveAspectRatio="none"
            className="mt-1 h-1.5 w-full overflow-hidden rounded-full"
          >
            <rect width="100" height="1" className="fill-sunk" />
            <rect width={whole === 0 ? 0 : (part / whole) * 100} height="1" className={tone} />
          </svg>
        </li>
      ))}
    </ul>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="card min-w-0 p-5">
      <h3 id={id} className="mb-3 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  );
}

type Props = { locale: Locale; view: OutcomesView };

function Funnel({ locale, view }: Props) {
  const t = translatorOf(locale, 'overview');
  const number = numberFormat(locale, {});
  const { created, medianMs } = view;
  const lines = (['created', 'opened', 'tried', 'paid'] as const).map((step) => ({
    key: step,
    name: t(`steps.${step}`),
    figure: number.format(view[step]),
    ...(step === 'created' ? {} : { note: shareText(view[step], created, locale) }),
    part: view[step],
    whole: created,
  }));
  return (
    <Part id="funnel" title={t('funnel')}>
      <Bars lines={lines} tone="fill-accent" />
      {medianMs !== null && (
        <p className="mt-3 text-muted text-sm">
          {t('median', { time: durationText(medianMs, locale) })}
        </p>
      )}
    </Part>
  );
}

function Reasons({ locale, view }: Props) {
  const t = translatorOf(locale, 'overview');
  const own = translatorOf(locale, 'overview.reasons');
  const declines = translatorOf(locale, 'dashboard.invoice.declines');
  const wordOf = (reason: string): string => {
    if (isWord(declines, reason)) return declines(reason);
    return isWord(own, reason) ? own(reason) : reason;
  };
  const number = numberFormat(locale, {});
  const all = view.reasons.reduce((sum, { count }) => sum + count, 0);
  const lines = view.reasons.slice(0, MOST_REASONS).map(({ reason, count }) => ({
    key: reason,
    name: wordOf(reason),
    figure: number.format(count),
    note: shareText(count, all, locale),
    part: count,
    whole: all,
  }));
  return (
    <Part id="reasons" title={t('whyFail')}>
      {lines.length === 0 && <p className="text-muted">{t('noneFailed')}</p>}
      <Bars lines={lines} tone="fill-negative" />
    </Part>
  );
}

function Methods({ locale, view }: Props) {
  const t = translatorOf(locale, 'overview');
  const lines = view.methods.map(({ name, ended, approved }) => ({
    key: name,
    name: <bdi>{name === 'sandbox' ? t('testCard') : name}</bdi>,
    figure: shareText(approved, ended, locale),
    note: t('ofAttempts', { count: ended }),
    part: approved,
    whole: ended,
  }));
  return (
    <Part id="methods" title={t('approval')}>
      {lines.length === 0 && <p className="text-muted">{t('noneTried')}</p>}
      <Bars lines={lines} tone="fill-positive" />
    </Part>
  );
}

/** How far buyers come, why payments fail and how many each method approves. */
export function OutcomePanels(props: Props) {
  const { locale, view } = props;
  const t = translatorOf(locale, 'overview');
  if (view.created === 0) return null;
  return (
    <section aria-labelledby="outcomes" className="@container">
      <h2 id="outcomes" className="sr-only">
        {t('outcomes')}
      </h2>
      <div className="grid grid-cols-1 gap-6 @min-[45rem]:grid-cols-3">
        <Funnel {...props} />
        <Reasons {...props} />
        <Methods {...props} />
      </div>
      <p className="mt-2 px-1 text-muted text-sm">
        {view.isSample ? t('ofNewest', { count: view.created }) : t('ofCreated')} {t('openedNote')}
      </p>
    </section>
  );
}
