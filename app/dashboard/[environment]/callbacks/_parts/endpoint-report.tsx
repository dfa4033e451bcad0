import { useTranslations } from 'use-intl/react';
import { Banner } from '#app/_ui/banner.tsx';
import { CheckIcon, CrossIcon } from '#app/_ui/icons.tsx';
import type { Locale } from '#server/lib/locales.ts';
import type { EndpointReportView } from '#server/trpc/rows.ts';
import { eventTypeWord } from '../../../_shared/event-type-word.ts';
import { millisecondsText } from '../../../_shared/milliseconds.ts';
import { Reason } from '../../../_shared/reason.tsx';
import { StatusBadge } from '../../../_shared/status-badge.tsx';
import { Unfold } from '../../../_shared/unfold.tsx';
import { adviceFor, isEvent, isPoint, POINTS, POINTS_OF_EVENTS } from './endpoint-advice.ts';

type Sample = EndpointReportView['samples'][number];
const STATUSES = ['PAID', 'EXPIRED', 'CANCELED'] as const;
type Verdict = Sample['reached'];

/** Whether a sample is a notification of an invoice's status. */
const isStatus = (of: Sample['of']): of is (typeof STATUSES)[number] =>
  STATUSES.some((status) => status === of);

function Mark({ verdict, label }: { verdict: Verdict; label: string }) {
  const shape = 'mt-0.5 grid size-5 shrink-0 place-items-center rounded-full';
  return (
    <>
      {verdict === 'kept' && (
        <span aria-hidden="true" className={`${shape} bg-positive-soft text-positive`}>
          <CheckIcon className="size-3.5" />
        </span>
      )}
      {verdict === 'broken' && (
        <span aria-hidden="true" className={`${shape} bg-negative-soft text-negative`}>
          <CrossIcon className="size-3.5" />
        </span>
      )}
      {verdict === 'unknown' && (
        <span aria-hidden="true" className={`${shape} bg-sunk text-muted`}>
          ?
        </span>
      )}
      <span className="sr-only">{label}:</span>
    </>
  );
}

function Text({ title, children }: { title: string; children: string }) {
  return (
    <details>
      <Unfold>{title}</Unfold>
      <pre className="wire mt-1 whitespace-pre-wrap break-all">{children}</pre>
    </details>
  );
}

function SampleCard({ sample, locale }: { sample: Sample; locale: Locale }) {
  const t = useTranslations('dashboard.endpoint');
  const statuses = useTranslations('dashboard.statuses');
  const events = useTranslations('dashboard.eventTypes');
  const reasons = useTranslations('reasons');
  const { of } = sample;
  return (
    <li className="card grid content-start gap-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {isStatus(of) ? (
          <StatusBadge status={of} label={statuses(of)} />
        ) : (
          <span className="font-medium">{events(eventTypeWord(of))}</span>
        )}
        <span className="text-muted text-sm tabular-nums">
          {sample.httpStatus !== null && `HTTP ${sample.httpStatus}, `}
          {millisecondsText(sample.durationMs, locale)}
        </span>
      </div>
      <ul className="grid gap-1.5 text-[0.9375rem]">
        {(isStatus(of) ? POINTS : POINTS_OF_EVENTS).map((point) => (
          <li key={point} className="flex gap-2">
            <Mark verdict={sample[point]} label={t(`verdicts.${sample[point]}`)} />
            <span className={sample[point] === 'unknown' ? 'text-muted' : ''}>
              {t(`points.${point === 'httpOk' && !isStatus(of) ? 'http2xx' : point}`)}
            </span>
          </li>
        ))}
      </ul>
      {sample.reason && (
        <p className="rounded-lg bg-negative-soft px-3 py-2 text-[0.9375rem] text-negative first-letter:uppercase [overflow-wrap:anywhere]">
          <Reason reason={sample.reason} t={reasons} />
        </p>
      )}
      {sample.reasonAgain && (
        <p className="rounded-lg bg-negative-soft px-3 py-2 text-[0.9375rem] text-negative [overflow-wrap:anywhere]">
          {t('again')} <Reason reason={sample.reasonAgain} t={reasons} />
        </p>
      )}
      <Text title={t('sample')}>{`webhook-id: ${sample.messageId}\n\n${sample.body}`}</Text>
      {sample.answer && <Text title={t('answered')}>{sample.answer}</Text>}
    </li>
  );
}

function Advice({ samples }: { samples: Sample[] }) {
  const t = useTranslations('dashboard.endpoint');
  const advice = adviceFor(samples);
  if (advice.length === 0) return null;
  return (
    <section aria-labelledby="todo" className="card p-5">
      <h2 id="todo" className="mb-2 font-semibold">
        {t('todo')}
      </h2>
      <ul className="grid gap-2">
        {advice.map((point) => (
          <li key={point} className="max-w-prose text-[0.9375rem]">
            {isPoint(point) && <span className="font-medium">{t(`points.${point}`)}: </span>}
            {t(`advice.${point}`)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The answers of an address, compared with the contract point by point. */
export function EndpointReport({
  report,
  ...view
}: {
  report: EndpointReportView;
  locale: Locale;
}) {
  const t = useTranslations('dashboard.endpoint');
  const { refusesWrongSignature: refuses, keepsContract, samples } = report;
  // Green must not say that all is well while anybody can claim that an invoice is paid.
  const isForgeable = refuses === 'broken';
  const isOfEvents = samples.some(isEvent);
  const forgeable = isOfEvents ? t('forgeableEvent') : t('forgeable');
  return (
    <div className="grid gap-5">
      {!(isForgeable && keepsContract) && (
        <p
          className={`rounded-xl px-4 py-3 font-semibold ${
            keepsContract ? 'bg-positive-soft text-positive' : 'bg-negative-soft text-negative'
          }`}
        >
          {isOfEvents && (keepsContract ? t('keepsEvents') : t('breaksEvents'))}
          {!isOfEvents && (keepsContract ? t('keeps') : t('breaks'))}.{' '}
          <span className="font-normal">{keepsContract ? t('keepsText') : t('breaksText')}</span>
        </p>
      )}
      {isForgeable && (
        <Banner tone="caution" title={keepsContract ? forgeable : t('signature')}>
          <p>{t('signatureAdvice.broken')}</p>
        </Banner>
      )}
      <Advice samples={samples} />
      <ul className="grid gap-5 lg:grid-cols-3">
        {samples.map((sample) => (
          <SampleCard key={sample.of} sample={sample} {...view} />
        ))}
      </ul>
      {refuses !== null && refuses !== 'broken' && (
        <p className="text-muted">
          {t('signature')}: {t(`signatureAdvice.${refuses}`)}
        </p>
      )}
    </div>
  );
}
