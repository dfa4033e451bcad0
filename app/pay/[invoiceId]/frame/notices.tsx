import { Banner } from '#app/_ui/banner.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import { brandName } from '#server/payments/brand.ts';
import { noticeTitle } from '../closed/state-title.ts';
import type { FormNotice } from '../state.ts';

type Ended = Extract<FormNotice, { kind: 'declined' | 'voided' }>;

function EndedAttempt({ notice, t }: { notice: Ended; t: Translator<'pay'> }) {
  if (notice.kind === 'voided') {
    return (
      <Banner tone="caution" title={noticeTitle(t, notice)} id="pay-notice">
        <p>{t('notices.voided')}</p>
        <p className="font-medium">{t('declined.notCharged')}</p>
      </Banner>
    );
  }
  const brand = brandName(notice.cardBrand, t('challenge.card'));
  return (
    <Banner tone="negative" title={noticeTitle(t, notice)} id="pay-notice">
      <p>{t(`declined.reasons.${notice.reason}`)}</p>
      <p className="text-muted">
        {t('declined.card', { brand, last4: notice.cardLast4 })}
        {'. '}
        <span className="font-medium text-ink">{t('declined.notCharged')}</span>
      </p>
    </Banner>
  );
}

/** The way back to a challenge that the buyer has not answered. */
export function OpenChallenge({
  url,
  text,
  t,
}: {
  url: string;
  text: string;
  t: Translator<'pay'>;
}) {
  return (
    <Banner tone="caution" title={t('openChallenge.title')} id="pay-notice">
      <p>{text}</p>
      <p className="pt-1">
        <a className="link font-semibold" href={url}>
          {t('openChallenge.action')}
        </a>
      </p>
    </Banner>
  );
}

/** The notice above the form: the result of the last try, and that it cost nothing. */
export function LastAttempt({
  notice,
  names,
  isChoice,
  t,
}: {
  notice: FormNotice;
  /** The names of accounts at acquirers, by account id. */
  names: Record<string, string>;
  /** Whether there is another way to pay. */
  isChoice: boolean;
  t: Translator<'pay'>;
}) {
  if (notice.kind === 'elsewhere' || notice.kind === 'declined_elsewhere') {
    const method = names[notice.accountId] ?? '';
    return <Elsewhere notice={notice} method={method} isChoice={isChoice} t={t} />;
  }
  if (notice.kind !== 'challenge') {
    return (
      // It gives way to the form's message on a newer try, whose cost may still be unknown.
      <div className="group-has-data-newer:hidden">
        <EndedAttempt notice={notice} t={t} />
      </div>
    );
  }
  return <OpenChallenge url={notice.url} text={t('openChallenge.text')} t={t} />;
}

/** The result of a payment at an acquirer's page, and the way back to an open one. */
function Elsewhere({
  notice,
  method,
  isChoice,
  t,
}: {
  notice: Extract<FormNotice, { kind: 'elsewhere' | 'declined_elsewhere' }>;
  method: string;
  isChoice: boolean;
  t: Translator<'pay'>;
}) {
  if (notice.kind === 'elsewhere') {
    return (
      <Banner tone="caution" title={t('methods.openTitle', { method })} id="pay-notice">
        <p>{t('methods.openText')}</p>
        <p className="pt-2">
          <a className="button button-plain" href={notice.url} rel="noreferrer">
            <span className="wrap-anywhere min-w-0">{t('methods.openAction', { method })}</span>
          </a>
        </p>
        {isChoice && <p className="pt-2">{t('methods.openOther')}</p>}
      </Banner>
    );
  }
  const text = notice.hasLeft ? 'methods.left' : 'methods.declinedText';
  return (
    <Banner
      tone={notice.hasLeft ? 'caution' : 'negative'}
      title={noticeTitle(t, notice)}
      id="pay-notice"
    >
      <p>
        {t(text, { method })} <span className="font-medium">{t('declined.notCharged')}</span>
      </p>
      <p>{t(isChoice ? 'methods.retry' : 'methods.retryOnly')}</p>
    </Banner>
  );
}

/** Why the buyer is still here after choosing an acquirer; empty without an answer of ours. */
export function NotBegun({
  begun,
  methods,
  isChoice,
  t,
}: {
  begun: { methodId: string; outcome: string };
  methods: readonly { id: string; name: string }[];
  isChoice: boolean;
  t: Translator<'pay'>;
}) {
  const method = methods.find(({ id }) => id === begun.methodId)?.name ?? '';
  const texts: Record<string, string[]> = {
    refused: [
      `${t('methods.notices.refused', { method })} ${t('declined.notCharged')}`,
      t(isChoice ? 'methods.retry' : 'methods.retryOnly'),
    ],
    unknown: [t('methods.notices.unknown', { method })],
    in_progress: [t('notices.in_progress')],
    email_demanded: [t('methods.notices.email')],
    email_wrong: [t('methods.notices.emailWrong')],
    unavailable: [t('methods.notices.unavailable')],
  };
  const told = texts[begun.outcome];
  if (!told) return null;
  return (
    <Banner tone="caution" title={t('declined.left')} id="pay-notice">
      {told.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Banner>
  );
}
