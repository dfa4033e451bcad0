import type { CallbackListItem } from '#server/trpc/rows.ts';
import type { CallbackMessages } from '../_i18n/callbacks-en.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';
import { filled } from './forms/question-text.ts';
import { Instant } from './instant.tsx';

type Words = CallbackMessages['schedule'];
type Callback = CallbackListItem;

function sayingOf({ inFlight, isResend, nextAttemptAt }: Callback, t: Words): string {
  if (inFlight) return t.now;
  if (nextAttemptAt === null) return t.over;
  return isResend ? t.resend : t.next;
}

type Props = { t: Words; locale: DashboardLocale; timeZone: string; callback: Callback };

/** What comes next for a callback that is not delivered, and when: within a line. */
export function CallbackNext({ t, locale, timeZone, callback }: Props) {
  const { stepsTaken, stepCount, nextAttemptAt, inFlight } = callback;
  return (
    <>
      {filled(sayingOf(callback, t), { step: stepsTaken + 1, taken: stepsTaken, all: stepCount })}{' '}
      {nextAttemptAt && !inFlight && (
        <Instant atMs={nextAttemptAt.getTime()} locale={locale} timeZone={timeZone} withSeconds />
      )}
    </>
  );
}

/** Where in its schedule a callback is that is not delivered, and when it goes on. */
export function CallbackSchedule(props: Props) {
  if (props.callback.state === 'delivered') return null;
  return (
    <p className="text-muted text-sm">
      <CallbackNext {...props} />
    </p>
  );
}
