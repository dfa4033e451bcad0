import type { ReactNode } from 'react';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { AcquirerAccountView } from '#server/trpc/rows.ts';
import { Instant } from './instant.tsx';

type Heard = Pick<
  AcquirerAccountView,
  'calledAtMs' | 'callFault' | 'checkedAtMs' | 'checkFault' | 'isProven' | 'downSinceMs' | 'failure'
>;

type Fault = NonNullable<Heard['checkFault']>;

/** Why an acquirer was turned away, or would not work with an account, with the acquirer's own code. */
function FaultText({ fault: { code, detail }, locale }: { fault: Fault; locale: Locale }) {
  if (code === null) return <span lang="en">{detail}</span>;
  const words = translatorOf(locale, 'acquirers.faults')(code);
  if (detail === null) return words;
  return (
    <>
      {words} (<code className="font-mono text-[0.9em]">{detail}</code>)
    </>
  );
}

/** What is known of an acquirer: since when it is down, its last call, and our last test. */
export function heardFrom({
  account,
  locale,
  timeZone,
}: {
  account: Heard;
  locale: Locale;
  timeZone: string;
}): { name: string; value: ReactNode }[] {
  const t = translatorOf(locale, 'acquirers.account');
  const { calledAtMs, callFault, checkedAtMs, checkFault, isProven, downSinceMs } = account;
  const at = (atMs: number) => <Instant atMs={atMs} locale={locale} timeZone={timeZone} />;
  const called = calledAtMs !== null && (
    <>
      {at(calledAtMs)},{' '}
      {callFault === null ? (
        t('letIn')
      ) : (
        <span className="text-negative">
          {t('turnedAway')} <FaultText fault={callFault} locale={locale} />
        </span>
      )}
    </>
  );
  const tested = checkedAtMs !== null && (
    <>
      {at(checkedAtMs)},{' '}
      {checkFault === null ? (
        t(isProven ? 'passed' : 'unproven')
      ) : (
        <span className="text-negative">
          {t('failed')} <FaultText fault={checkFault} locale={locale} />
        </span>
      )}
    </>
  );
  const down = downSinceMs !== null && {
    name: t('down'),
    value: (
      <span className="text-negative">
        {at(downSinceMs)}, {t('lastFailure')} <code lang="en">{account.failure}</code>
      </span>
    ),
  };
  return [
    ...(down ? [down] : []),
    {
      name: t('lastCall'),
      value: called || <span className="text-caution">{t('neverCalled')}</span>,
    },
    { name: t('lastTest'), value: tested || t('neverTested') },
  ];
}
