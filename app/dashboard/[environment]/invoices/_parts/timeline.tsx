import type { ReactNode } from 'react';
import { isWord, type Translator, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { InvoiceDetailView } from '#server/trpc/rows.ts';
import { actorName } from '../../../_shared/audit-words.ts';
import { Instant } from '../../../_shared/instant.tsx';
import { millisecondsText } from '../../../_shared/milliseconds.ts';
import { Reason } from '../../../_shared/reason.tsx';
import { authorText } from './refund-panel.tsx';

type Entry = InvoiceDetailView['timeline'][number];
type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;
type Words = Translator<'dashboard.invoice'>;

/** The reader, and the addresses of requests and callbacks; null for readers who may not see them. */
type View = {
  locale: Locale;
  timeZone: string;
  callbackHref: string | null;
  requestsHref: string | null;
};

/** A request's id, a link to the log of requests for readers who may see it. */
function RequestId({ id, href }: { id: string; href: string | null }) {
  if (href === null) return <span className="font-mono text-xs">{id}</span>;
  return (
    <a href={`${href}?q=${encodeURIComponent(id)}`} className="link font-mono text-xs">
      {id}
    </a>
  );
}

type Story = { tone: keyof typeof DOTS; title: string; body?: ReactNode };

const DOTS = {
  plain: 'bg-control',
  positive: 'bg-positive',
  negative: 'bg-negative',
  caution: 'bg-caution',
};

const acquirerWords = ({ locale }: View) => translatorOf(locale, 'acquirers.timeline');

const FAILED = ['declined', 'failed', 'abandoned', 'voided'];

/** An attempt whose money is given back has ended, like one that failed. */
function paymentTone({ status, steps }: Of<'payment'>): Story['tone'] {
  if (FAILED.includes(status)) return 'negative';
  if (steps.at(-1)?.step === 'reversed') return 'negative';
  return status === 'captured' ? 'positive' : 'caution';
}

/** An attempt is named by its card, or by the account at an acquirer. */
function paymentTitle(entry: Of<'payment'>, t: Words, view: View): string {
  const { accountName, status, steps } = entry;
  if (accountName === null) {
    return `${t('paymentBy')} ••••\u00a0${entry.cardLast4}: ${t(`attempts.${status}`)}`;
  }
  const words = acquirerWords(view);
  const isReversed = steps.at(-1)?.step === 'reversed';
  const state = words(`attempts.${isReversed ? 'reversed' : status}`);
  const card = entry.cardLast4 ? ` (••••\u00a0${entry.cardLast4})` : '';
  return words('payment', { method: `${accountName}${card}`, state });
}

function Steps({ steps, locale, timeZone }: Pick<Of<'payment'>, 'steps'> & View) {
  const t = translatorOf(locale, 'acquirers.timeline.steps');
  return (
    <ol>
      {steps.map(({ step, atMs }) => (
        <li key={step}>
          {t(step)} <Instant atMs={atMs} locale={locale} timeZone={timeZone} withSeconds />
        </li>
      ))}
    </ol>
  );
}

function paymentStory(entry: Of<'payment'>, t: Words, view: View): Story {
  const { accountName, declineReason, authorisationId, transactionId, steps } = entry;
  const ids = [...new Set([transactionId, authorisationId])].filter((each) => each !== null);
  const decline = declineReason && `declines.${declineReason}`;
  const reason = decline && isWord(t, decline) ? t(decline) : declineReason;
  return {
    tone: paymentTone(entry),
    title: paymentTitle(entry, t, view),
    body: (
      <>
        {reason && <p className="first-letter:uppercase">{reason}</p>}
        {steps.length > 0 && <Steps steps={steps} {...view} />}
        {entry.fee && (
          <p>
            {acquirerWords(view)('fee')}{' '}
            {formatMoney(entry.fee.amountMinor, entry.fee.currency, view.locale)}
          </p>
        )}
        <p className="break-all font-mono text-xs">{entry.attemptId}</p>
        {ids.length > 0 && (
          <p className="break-all">
            {accountName === null ? t('reference') : acquirerWords(view)('reference')}{' '}
            <span className="font-mono text-xs">{ids.join(' · ')}</span>
          </p>
        )}
        {entry.acquirerReceiptUrl && (
          <p>
            <a
              className="link"
              href={entry.acquirerReceiptUrl}
              target="_blank"
              rel="noopener noreferrer"
            >
              {acquirerWords(view)('receipt')}
            </a>
          </p>
        )}
      </>
    ),
  };
}

function disputeStory({ isNews, dispute }: Of<'dispute'>, view: View): Story {
  const t = translatorOf(view.locale, 'acquirers.disputes');
  const { id, amountMinor, currency, reason, status, closedAtMs } = dispute;
  const amount = formatMoney(amountMinor, currency, view.locale);
  const why = `reasons.${reason}`;
  const stands = `statuses.${status}`;
  const state = isWord(t, stands) ? t(stands) : status;
  if (!isNews) {
    const tone = { won: 'positive', lost: 'negative' }[status] as Story['tone'] | undefined;
    return {
      tone: tone ?? (closedAtMs === null ? 'caution' : 'plain'),
      title: t('now', { state }),
    };
  }
  return {
    tone: 'negative',
    title: t('opened', { amount }),
    body: (
      <>
        <p className="first-letter:uppercase">{isWord(t, why) ? t(why) : reason}</p>
        <p>{t('atAcquirer')}</p>
        <p className="break-all font-mono text-xs">{id}</p>
      </>
    ),
  };
}

function callbackStory({ attempt }: Of<'callback'>, t: Words, view: View): Story {
  const status = attempt.httpStatus === null ? t('noAnswer') : `HTTP ${attempt.httpStatus}`;
  const ways = { schedule: '', resend: `, ${t('resent')}`, listener: `, ${t('viaListener')}` };
  return {
    tone: attempt.delivered ? 'positive' : 'negative',
    title: attempt.delivered ? t('callbackOk') : t('callbackFailed'),
    body: (
      <>
        <p>
          {status}, {millisecondsText(attempt.durationMs, view.locale)}, {t('attempt')}{' '}
          {attempt.number}
          {ways[attempt.trigger]}
        </p>
        {attempt.reason && (
          <p className="first-letter:uppercase">
            <Reason reason={attempt.reason} t={translatorOf(view.locale, 'reasons')} />
          </p>
        )}
        {view.callbackHref && (
          <p>
            <a href={`${view.callbackHref}#attempt-${attempt.number}`} className="link">
              {t('exchange')}
            </a>
          </p>
        )}
      </>
    ),
  };
}

function statusStory({ change, by, isUntold }: Of<'status'>, t: Words, view: View): Story {
  const author = by ? `${t('by')} ${actorName(by, view.locale)}` : t(`actors.${change.actorType}`);
  return {
    tone: change.status === 'PAID' ? 'positive' : 'plain',
    title: t(`changedTo.${change.status}`),
    body: (
      <>
        <p>
          {author}
          {change.requestId && (
            <span className="break-all">
              {' '}
              · {t('request')} <RequestId id={change.requestId} href={view.requestsHref} />
            </span>
          )}
        </p>
        {isUntold && <p>{t('untold')}</p>}
      </>
    ),
  };
}

const EMAIL_TONES = {
  waiting: 'plain',
  sent: 'positive',
  refused: 'negative',
  failed: 'negative',
} as const;

function emailStory({ email }: Of<'email'>, view: View): Story {
  const t = translatorOf(view.locale, 'dashboard.receiptEmail');
  const { kind, state, address, reason } = email;
  return {
    tone: EMAIL_TONES[state],
    title: `${t(`kinds.${kind}`)}: ${t(`states.${state}`)}`,
    body: (
      <div className="wrap-anywhere">
        <p>{address}</p>
        {reason !== null && <p>{reason === 'outdated' ? t('outdated') : <bdi>{reason}</bdi>}</p>}
        {state === 'waiting' && reason !== null && <p>{t('next')}</p>}
      </div>
    ),
  };
}

const REFUND_TONES = { asked: 'plain', succeeded: 'positive', failed: 'negative' } as const;

function refundStory({ step, refund }: Of<'refund'>, view: View): Story {
  const { locale, requestsHref } = view;
  const t = translatorOf(locale, 'dashboard.refund');
  const { id, author, reason, failureReason, reference } = refund;
  const requestId = author?.requestId ?? null;
  return {
    tone: REFUND_TONES[step],
    title: t(`steps.${step}`, { amount: formatMoney(refund.amountMinor, refund.currency, locale) }),
    body: (
      <div className="wrap-anywhere">
        {step === 'asked' && (
          <p>
            {authorText(refund, locale)}
            {requestId !== null && (
              <span className="break-all">
                {' '}
                · {translatorOf(locale, 'dashboard.invoice')('request')}{' '}
                <RequestId id={requestId} href={requestsHref} />
              </span>
            )}
          </p>
        )}
        {step === 'asked' && reason !== null && <bdi>{reason}</bdi>}
        {step === 'failed' && failureReason !== null && <bdi>{failureReason}</bdi>}
        <p className="break-all font-mono text-xs">{id}</p>
        {step !== 'asked' && reference !== null && (
          <p className="break-all">
            {t('reference')} <span className="font-mono text-xs">{reference}</span>
          </p>
        )}
      </div>
    ),
  };
}

function storyOf(entry: Entry, t: Words, view: View): Story {
  switch (entry.kind) {
    case 'created':
      return {
        tone: 'plain',
        title: entry.by ? `${t('createdBy')} ${actorName(entry.by, view.locale)}` : t('created'),
        body: entry.requestId ? (
          <p className="break-all">
            {t('request')} <RequestId id={entry.requestId} href={view.requestsHref} />
          </p>
        ) : undefined,
      };
    case 'payment':
      return paymentStory(entry, t, view);
    case 'dispute':
      return disputeStory(entry, view);
    case 'callback':
      return callbackStory(entry, t, view);
    case 'status':
      return statusStory(entry, t, view);
    case 'refund':
      return refundStory(entry, view);
    case 'email':
      return emailStory(entry, view);
    case 'staff': {
      const action = `actions.${entry.action}`;
      return {
        tone: 'plain',
        title: isWord(t, action) ? t(action) : entry.action,
        body: <p>{`${t('by')} ${actorName(entry.actor, view.locale)}`}</p>,
      };
    }
  }
}

/** The one story of an invoice, from all its sources. */
export function Timeline({ entries, ...view }: View & { entries: Entry[] }) {
  const t = translatorOf(view.locale, 'dashboard.invoice');
  return (
    <ol className="ml-1.5 grid grid-cols-1 gap-5 pl-5">
      {entries.map((entry) => {
        const story = storyOf(entry, t, view);
        return (
          <li
            key={entry.key}
            // A line joins each dot to the next one.
            className="relative not-last:before:absolute not-last:before:top-3 not-last:before:-bottom-8 not-last:before:-left-[1.3rem] not-last:before:w-0.5 not-last:before:bg-line"
          >
            <span
              aria-hidden="true"
              className={`swatch absolute top-1.5 -left-[1.65rem] size-3 rounded-full ring-4 ring-surface ${DOTS[story.tone]}`}
            />
            <div className="flex-wrap items-baseline justify-between gap-x-4 sm:flex">
              <p className="font-medium">{story.title}</p>
              <p className="text-muted text-sm">
                <Instant
                  atMs={entry.atMs}
                  locale={view.locale}
                  timeZone={view.timeZone}
                  withSeconds
                />
              </p>
            </div>
            <div className="mt-0.5 text-muted text-sm">{story.body}</div>
          </li>
        );
      })}
    </ol>
  );
}
