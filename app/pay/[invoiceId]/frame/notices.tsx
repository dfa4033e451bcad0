import { Banner } from '#app/_ui/banner.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import { brandName } from '../form/brand-mark.tsx';
import type { FormNotice } from '../state.ts';

type Ended = Exclude<FormNotice, { kind: 'challenge' }>;

function EndedAttempt({ notice, t }: { notice: Ended; t: Translator<'pay'> }) {
  if (notice.kind === 'voided') {
    return (
      <Banner tone="caution" title={t('declined.title')} id="pay-notice">
        <p>{t('notices.voided')}</p>
        <p className="font-medium">{t('declined.notCharged')}</p>
      </Banner>
    );
  }
  const brand = brandName(notice.cardBrand, t('challenge.card'));
  return (
    <Banner tone="negative" title={t('declined.title')} id="pay-notice">
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

/** Above the form: what became of the last try, and that it cost nothing. */
export function LastAttempt({ notice, t }: { notice: FormNotice; t: Translator<'pay'> }) {
  if (notice.kind !== 'challenge') {
    return (
      // Gives way to what the form says of a newer try, whose cost nobody may know yet.
      <div className="group-has-data-newer:hidden">
        <EndedAttempt notice={notice} t={t} />
      </div>
    );
  }
  return <OpenChallenge url={notice.url} text={t('openChallenge.text')} t={t} />;
}
