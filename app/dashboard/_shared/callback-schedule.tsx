import { type Translator, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { CallbackListItem } from '#server/trpc/rows.ts';
import { eventTypeWord } from './event-type-word.ts';
import { Instant } from './instant.tsx';

function sayingOf(
  { inFlight, isResend, nextAttemptAt, stepsTaken, stepCount }: CallbackListItem,
  t: Translator<'dashboard.callbacks.schedule'>,
): string {
  const steps = { taken: stepsTaken, all: stepCount };
  if (inFlight) return t('now');
  if (nextAttemptAt === null) return t('over', steps);
  return isResend ? t('resend', steps) : t('next', { step: stepsTaken + 1, all: stepCount });
}

type Props = { locale: Locale; timeZone: string; callback: CallbackListItem };

/** The next step of an undelivered callback and its time, within a line. */
export function CallbackNext({ locale, timeZone, callback }: Props) {
  const t = translatorOf(locale, 'dashboard.callbacks.schedule');
  const { nextAttemptAt, inFlight } = callback;
  return (
    <>
      {sayingOf(callback, t)}{' '}
      {nextAttemptAt && !inFlight && (
        <Instant atMs={nextAttemptAt.getTime()} locale={locale} timeZone={timeZone} withSeconds />
      )}
    </>
  );
}

/** The place of an undelivered callback in its schedule, and the time of its next step. */
export function CallbackSchedule(props: Props) {
  if (props.callback.state === 'delivered') return null;
  return (
    <p className="text-muted text-sm">
      <CallbackNext {...props} />
    </p>
  );
}

/** What names a callback's screen: an event's own id, or the invoice of a notification. */
export function callbackName({ id, kind, invoiceId }: CallbackListItem): string {
  return kind === 'event' ? id : invoiceId;
}

/** What a callback tells of, as text: one badge a line is enough. */
export function CallbackSubject({ locale, callback }: Omit<Props, 'timeZone'>) {
  const t = translatorOf(locale, 'dashboard');
  const { eventType, invoiceStatus } = callback;
  const look = 'text-muted text-sm';
  if (eventType) {
    return <span className={look}>{t(`eventTypes.${eventTypeWord(eventType)}`)}</span>;
  }
  return (
    <span className={`whitespace-nowrap @max-[12rem]:whitespace-normal ${look}`}>
      {t('callbacks.invoice')} <span className="lowercase">{t(`statuses.${invoiceStatus}`)}</span>
    </span>
  );
}
