import { Fragment } from 'react';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { CallbackDetailView } from '#server/trpc/rows.ts';
import { Instant } from '../../../_shared/instant.tsx';
import { millisecondsText } from '../../../_shared/milliseconds.ts';
import { Reason } from '../../../_shared/reason.tsx';
import { Unfold } from '../../../_shared/unfold.tsx';

type Exchange = CallbackDetailView['exchanges'][number];
type Props = { locale: Locale; timeZone: string };

// A line's length on a desktop, for browsers that do not size a field by its text.
const LINE_LENGTH = 80;

/**
 * The transferred bytes as text; long lines break. An input scrolls its content and takes the
 * keyboard, so that a server's whole error page does not hide the attempts below it on a phone.
 */
function Wire({ label, text }: { label: string; text: string }) {
  return (
    <textarea
      readOnly
      aria-label={label}
      value={text}
      rows={Math.min(6, text.split('\n').length + Math.floor(text.length / LINE_LENGTH))}
      className="field-sizing-content block max-h-64 w-full resize-y break-all wire"
    />
  );
}

function Answer({ locale, exchange }: { locale: Locale; exchange: Exchange }) {
  const t = translatorOf(locale, 'dashboard.callbacks');
  if (exchange.httpStatus === null) return <p className="text-muted text-sm">{t('nothing')}</p>;
  if (!exchange.answer) return <p className="text-muted text-sm">{t('noBody')}</p>;
  return <Wire label={t('received')} text={exchange.answer} />;
}

/** The request's head; names and values stand in two columns where there is room. */
function Head({ exchange: { requestLine, headers } }: { exchange: Exchange }) {
  return (
    <div className="@container wire [overflow-wrap:anywhere]">
      <p>{requestLine}</p>
      <dl className="mt-1 grid gap-x-4 @md:grid-cols-[auto_minmax(0,1fr)]">
        {headers.map(({ name, value }) => (
          <Fragment key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="@max-md:mb-1">{value}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

/** One attempt: its outcome at a glance, and its request and answer when opened. */
export function ExchangeItem({
  exchange,
  locale,
  timeZone,
  isOpen,
}: Props & {
  exchange: Exchange;
  isOpen: boolean;
}) {
  const t = translatorOf(locale, 'dashboard');
  const status =
    exchange.httpStatus === null ? t('invoice.noAnswer') : `HTTP ${exchange.httpStatus}`;
  return (
    <li id={`attempt-${exchange.number}`} className="scroll-mt-4 py-3">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
        <span
          aria-hidden="true"
          className={`swatch size-2.5 rounded-full ${exchange.delivered ? 'bg-positive' : 'bg-negative'}`}
        />
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
          <p className="font-medium">
            {exchange.number}. {exchange.delivered ? t('invoice.callbackOk') : status}
            {exchange.delivered && <span className="text-muted">, {status}</span>}
          </p>
          <p className="text-muted text-sm">
            {millisecondsText(exchange.durationMs, locale)}
            {exchange.trigger === 'resend' && ` · ${t('invoice.resent')}`}
            {exchange.trigger === 'listener' && ` · ${t('invoice.viaListener')}`}
          </p>
        </div>
        <p className="col-start-2 text-muted text-sm sm:col-start-3">
          <Instant
            atMs={exchange.startedAt.getTime()}
            locale={locale}
            timeZone={timeZone}
            withSeconds
          />
        </p>
      </div>
      {exchange.reason && (
        <p className="mt-0.5 pl-5.5 text-[0.9375rem] first-letter:uppercase [overflow-wrap:anywhere]">
          <Reason reason={exchange.reason} t={translatorOf(locale, 'reasons')} />
          {isOpen && (
            <>
              {'. '}
              <a
                href={docsAddress('/docs/retries#why-an-attempt-did-not-count', locale)}
                className="link"
              >
                {t('callbacks.whatHelps')}
              </a>
            </>
          )}
        </p>
      )}
      <details open={isOpen} className="mt-1 pl-5.5">
        <Unfold>{t('callbacks.details')}</Unfold>
        <div className="mt-2 grid gap-3">
          <div className="min-w-0">
            <h3 className="mb-1 font-medium text-sm">{t('callbacks.request')}</h3>
            <Head exchange={exchange} />
          </div>
          <div className="min-w-0">
            <h3 className="mb-1 font-medium text-sm">{t('callbacks.received')}</h3>
            <Answer locale={locale} exchange={exchange} />
          </div>
        </div>
      </details>
    </li>
  );
}
