import { AlertIcon, CheckIcon, ClockIcon, CrossIcon, Spinner } from '#app/_ui/icons.tsx';
import type { PayMessages } from '../_i18n/en.ts';
import { Outcome } from './outcome.tsx';
import { ReturnTimer } from './return-timer.tsx';

export type StateProps = {
  t: PayMessages;
  merchantName: string;
  errorUrl: string;
};

function BackToShop({ t, merchantName, errorUrl }: StateProps) {
  return (
    <a className="button button-primary" href={errorUrl} rel="noreferrer">
      {t.backToShop(merchantName)}
    </a>
  );
}

const REFRESH_S = 4;

export function Processing({ t, invoiceId }: { t: PayMessages; invoiceId: string }) {
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={String(REFRESH_S)} />
      </noscript>
      <Outcome
        tone="plain"
        icon={<Spinner className="size-8" />}
        title={t.processing.title}
        actions={
          <a className="link-quiet py-1 text-sm" href={`/pay/${invoiceId}`}>
            {t.processing.check}
          </a>
        }
      >
        <p>{t.processing.text}</p>
        <p className="font-medium text-ink">{t.processing.keep}</p>
      </Outcome>
    </>
  );
}

/** After this the buyer goes back by itself (s). */
const RETURN_AFTER_S = 6;

export function Paid({
  t,
  merchantName,
  amount,
  invoiceId,
  successUrl,
  returns,
}: {
  t: PayMessages;
  merchantName: string;
  amount: string;
  invoiceId: string;
  successUrl: string;
  /** Whether the page goes on to the shop by itself: only right after the payment. */
  returns: boolean;
}) {
  return (
    <Outcome
      tone="positive"
      icon={<CheckIcon className="size-8" />}
      title={t.paid.title}
      actions={
        <>
          <a className="button button-primary" href={successUrl} rel="noreferrer">
            {t.paid.continue(merchantName)}
          </a>
          <a className="button button-plain" href={`/pay/${invoiceId}/receipt`}>
            {t.paid.receipt}
          </a>
        </>
      }
    >
      <p>{t.paid.text(amount, merchantName)}</p>
      {returns && (
        <>
          <ReturnTimer
            to={successUrl}
            afterS={RETURN_AFTER_S}
            t={{
              redirecting: t.paid.redirecting,
              seconds: t.paid.seconds,
              stay: t.paid.stay,
              staying: t.paid.staying,
            }}
          />
          <noscript>
            <meta httpEquiv="refresh" content={`${RETURN_AFTER_S + 4};url=${successUrl}`} />
            <p>
              {t.paid.redirectingPlain(String(RETURN_AFTER_S + 4))}{' '}
              <a className="link" href="?stay=1">
                {t.paid.stay}
              </a>
            </p>
          </noscript>
        </>
      )}
    </Outcome>
  );
}

export function Expired({ triedToPay, ...props }: StateProps & { triedToPay: boolean }) {
  const { t } = props;
  return (
    <Outcome
      tone="caution"
      icon={<ClockIcon className="size-8" />}
      title={t.expired.title}
      actions={<BackToShop {...props} />}
    >
      <p>{t.expired.text}</p>
      {triedToPay && <p className="font-medium text-ink">{t.closedNotCharged}</p>}
    </Outcome>
  );
}

export function Canceled({ triedToPay, ...props }: StateProps & { triedToPay: boolean }) {
  const { t, merchantName } = props;
  return (
    <Outcome
      tone="plain"
      icon={<CrossIcon className="size-8" />}
      title={t.canceled.title}
      actions={<BackToShop {...props} />}
    >
      <p>{t.canceled.text(merchantName)}</p>
      {triedToPay && <p className="font-medium text-ink">{t.closedNotCharged}</p>}
    </Outcome>
  );
}

/** Nothing can be paid here, and why. */
export function Closed({
  words,
  ...props
}: StateProps & { words: { title: string; text: string } }) {
  return (
    <Outcome
      tone="caution"
      icon={<AlertIcon className="size-8" />}
      title={words.title}
      actions={<BackToShop {...props} />}
    >
      <p>{words.text}</p>
    </Outcome>
  );
}
