import type { ReactNode } from 'react';
import { AlertIcon, CheckIcon, ClockIcon, CrossIcon, Spinner } from '#app/_ui/icons.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import { HOLD_MS } from '#server/payments/timing.ts';
import { Outcome } from './outcome.tsx';
import { ReturnTimer } from './return-timer.tsx';

export type StateProps = {
  t: Translator<'pay'>;
  merchantName: string;
  /** Null for a payment link that leads to no shop. */
  errorUrl: string | null;
  /** Whether the page goes on to the shop automatically. */
  returns: boolean;
};

function BackToShop({
  t,
  merchantName,
  errorUrl,
}: Pick<StateProps, 't' | 'merchantName'> & { errorUrl: string }) {
  return (
    <a className="button button-primary" href={errorUrl} rel="noreferrer">
      <span className="wrap-anywhere min-w-0">{t('backToShop', { merchant: merchantName })}</span>
    </a>
  );
}

/** The seconds after which the buyer goes back automatically: WCAG 2.2.1 leaves 20 to say no. */
const RETURNS_AFTER_S = 20;

const NO_SCRIPT_EXTRA_S = 4;

/** Goes on to the shop, if there is one, by itself, with and without script, unless told to stay. */
function Returns({ t, to }: { t: Translator<'pay'>; to: string | null }) {
  if (to === null) return null;
  const plainS = RETURNS_AFTER_S + NO_SCRIPT_EXTRA_S;
  const [stay, staying] = [t('returns.stay'), t('returns.staying')];
  const texts = Array.from({ length: RETURNS_AFTER_S + 1 }, (_, seconds) =>
    t('returns.redirecting', { seconds }),
  );
  return (
    <>
      <ReturnTimer to={to} texts={texts} t={{ stay, staying }} />
      <noscript>
        <meta httpEquiv="refresh" content={`${plainS};url=${to}`} />
        <p>
          {t('returns.redirectingPlain', { seconds: plainS })}{' '}
          <a className="link" href="?stay=1">
            {stay}
          </a>
        </p>
      </noscript>
    </>
  );
}

const REFRESH_S = 4;
const MINUTE_MS = 60_000;

export function Processing({
  t,
  invoiceId,
  method,
}: {
  t: Translator<'pay'>;
  invoiceId: string;
  /** The acquirer that completes the payment, where the buyer went to one. */
  method: string | null;
}) {
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={String(REFRESH_S)} />
      </noscript>
      <Outcome
        tone="plain"
        icon={<Spinner className="size-8" />}
        title={method === null ? t('processing.title') : t('methods.heldTitle', { method })}
        actions={
          <a className="button button-plain" href={`/pay/${invoiceId}`}>
            {t('processing.check')}
          </a>
        }
      >
        <p>{method === null ? t('processing.text') : t('methods.heldText', { method })}</p>
        <p className="font-medium text-ink">{t('processing.keep')}</p>
        {method !== null && (
          <p className="text-sm">{t('methods.heldBack', { minutes: HOLD_MS / MINUTE_MS })}</p>
        )}
      </Outcome>
    </>
  );
}

export function Paid({
  t,
  title,
  merchantName,
  amount,
  invoiceId,
  successUrl,
  returns,
  refunds,
  hasFiscal,
}: {
  t: Translator<'pay'>;
  title: string;
  merchantName: string;
  amount: string;
  invoiceId: string;
  /** Null for a payment link that leads to no shop: the page is the last one. */
  successUrl: string | null;
  returns: boolean;
  /** What was given back, in words. */
  refunds: string[];
  hasFiscal: boolean;
}) {
  return (
    <Outcome
      tone="positive"
      icon={<CheckIcon className="size-8" />}
      title={title}
      actions={
        <>
          {successUrl !== null && (
            <a className="button button-primary" href={successUrl} rel="noreferrer">
              <span className="wrap-anywhere min-w-0">
                {t('paid.continue', { merchant: merchantName })}
              </span>
            </a>
          )}
          <a className="button button-plain" href={`/pay/${invoiceId}/receipt`}>
            {t(hasFiscal ? 'paid.fiscal' : 'paid.receipt')}
          </a>
        </>
      }
    >
      <p>{t('paid.text', { amount, merchant: merchantName })}</p>
      {refunds.map((text) => (
        <p key={text} className="font-medium text-ink">
          {text}
        </p>
      ))}
      {refunds.length > 0 && <p className="text-sm">{t('refund.days')}</p>}
      {successUrl === null && <p>{t('paid.close')}</p>}
      {returns && <Returns t={t} to={successUrl} />}
    </Outcome>
  );
}

export function Expired({ triedToPay, ...props }: StateProps & { triedToPay: boolean }) {
  const { t, merchantName: merchant, errorUrl, returns } = props;
  return (
    <Outcome
      tone="caution"
      icon={<ClockIcon className="size-8" />}
      title={t('expired.title')}
      actions={errorUrl && <BackToShop {...props} errorUrl={errorUrl} />}
    >
      <p>{errorUrl === null ? t('expired.textNoShop', { merchant }) : t('expired.text')}</p>
      {triedToPay && <p className="font-medium text-ink">{t('closedNotCharged')}</p>}
      {returns && <Returns t={t} to={errorUrl} />}
    </Outcome>
  );
}

export function Canceled({ triedToPay, ...props }: StateProps & { triedToPay: boolean }) {
  const { t, merchantName, errorUrl, returns } = props;
  return (
    <Outcome
      tone="plain"
      icon={<CrossIcon className="size-8" />}
      title={t('canceled.title')}
      actions={errorUrl && <BackToShop {...props} errorUrl={errorUrl} />}
    >
      <p>{t('canceled.text', { merchant: merchantName })}</p>
      {triedToPay && <p className="font-medium text-ink">{t('closedNotCharged')}</p>}
      {returns && <Returns t={t} to={errorUrl} />}
    </Outcome>
  );
}

/** The page says that nothing can be paid here, and why. */
export function Closed({
  words,
  ...props
}: StateProps & { words: { title: string; text: ReactNode } }) {
  const { t, errorUrl, returns } = props;
  return (
    <Outcome
      tone="caution"
      icon={<AlertIcon className="size-8" />}
      title={words.title}
      actions={errorUrl && <BackToShop {...props} errorUrl={errorUrl} />}
    >
      <p>{words.text}</p>
      {returns && <Returns t={t} to={errorUrl} />}
    </Outcome>
  );
}
