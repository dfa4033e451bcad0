import { countText } from '#app/_i18n/count-text.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { type Translator, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { CauseView } from '#server/trpc/rows.ts';
import { ActionButton } from '../../_shared/forms/action-button.tsx';
import { Instant } from '../../_shared/instant.tsx';
import { Unfold } from '../../_shared/unfold.tsx';

type Props = {
  environment: Environment;
  locale: Locale;
  base: string;
  timeZone: string;
  causes: readonly CauseView[];
  /** Whether the reader may say that they have seen something. */
  mayAcknowledge: boolean;
};

type Kind = CauseView['kind'];

/** Where each is set right. */
const WAYS: Record<Kind, string> = {
  account_down: '/payment-methods',
  callbacks_failing: '/callbacks?state=pending',
  callbacks_exhausted: '/callbacks?state=exhausted',
  disputes: '/invoices/',
  refunds_failed: '/invoices/',
  refunds_overdue: '/invoices/',
  books_differ: '/payment-methods/differences',
  second_factor: '/team',
};

/** The way to the screen, or to the invoice of the newest refund or dispute. */
function wayOf({ kind, examples }: CauseView, base: string): string {
  const way = WAYS[kind];
  return base + (way === '/invoices/' ? way + (examples[0]?.invoiceId ?? '') : way);
}

function titleOf(cause: CauseView, t: Translator<'overview.causes'>, locale: Locale): string {
  const { kind, count, isMore, account } = cause;
  return t(`${kind}.title`, {
    count,
    text: countText(count, isMore, locale),
    account: account ?? '',
  });
}

/** The refunds or disputes that a cause is about. */
function Examples({ cause, locale, base }: Pick<Props, 'locale' | 'base'> & { cause: CauseView }) {
  if (cause.examples.length < 2) return null;
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-sm">
      {cause.examples.map(({ invoiceId, amountMinor, currency }) => (
        <PageLink
          key={invoiceId}
          href={`${base}/invoices/${invoiceId}`}
          className="link inline-block py-0.5 tabular-nums"
        >
          {formatMoney(amountMinor, currency, locale)}
        </PageLink>
      ))}
    </p>
  );
}

function Waiting({ cause, ...props }: Omit<Props, 'causes'> & { cause: CauseView }) {
  const { environment, locale, base, timeZone, mayAcknowledge } = props;
  const t = translatorOf(locale, 'overview');
  const words = translatorOf(locale, 'overview.causes');
  const { kind, newestAtMs } = cause;
  const title = titleOf(cause, words, locale);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-[min(16rem,100%)] flex-1">
        <h3 className="font-medium">{title}</h3>
        <p className="text-muted text-sm">
          {words(`${kind}.text`)}
          {newestAtMs !== null && kind !== 'second_factor' && (
            <>
              {' · '}
              <Instant atMs={newestAtMs} locale={locale} timeZone={timeZone} />
            </>
          )}
        </p>
        <Examples cause={cause} locale={locale} base={base} />
      </div>
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
        {mayAcknowledge && (
          <ActionButton
            environment={environment}
            action={{
              does: 'acknowledge',
              seen: { cause: cause.cause, count: cause.count, newestAtMs },
            }}
            label={t('seen')}
            accessibleLabel={`${t('seen')}: ${title}`}
            className="button button-plain button-compact"
          />
        )}
        <PageLink href={wayOf(cause, base)} className="button button-plain button-compact">
          {words(`${kind}.deed`)}
        </PageLink>
      </div>
    </li>
  );
}

function Seen({ causes, ...props }: Props) {
  const { environment, locale, base, timeZone, mayAcknowledge } = props;
  const t = translatorOf(locale, 'overview');
  const words = translatorOf(locale, 'overview.causes');
  return (
    <details>
      <Unfold>{t('seenCount', { count: causes.length })}</Unfold>
      <ul className="divide-y divide-line">
        {causes.map((cause) => (
          <li
            key={cause.cause}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2 text-sm"
          >
            <p className="min-w-0">
              <PageLink href={wayOf(cause, base)} className="link">
                {titleOf(cause, words, locale)}
              </PageLink>
              {cause.acknowledged && (
                <span className="block text-muted">
                  {cause.acknowledged.by ?? t('somebody')}
                  {' · '}
                  <Instant atMs={cause.acknowledged.atMs} locale={locale} timeZone={timeZone} />
                </span>
              )}
            </p>
            {mayAcknowledge && (
              <ActionButton
                environment={environment}
                action={{ does: 'unacknowledge', cause: cause.cause }}
                label={t('undo')}
                accessibleLabel={`${t('undo')}: ${titleOf(cause, words, locale)}`}
                className="button button-plain button-compact"
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What waits for somebody, each with its deed; what was seen folds away until it grows. */
export function NeedsHand(props: Props) {
  const { locale, causes } = props;
  const t = translatorOf(locale, 'overview');
  const waiting = causes.filter(({ acknowledged }) => acknowledged === null);
  const seen = causes.filter(({ acknowledged }) => acknowledged !== null);
  if (causes.length === 0) {
    return (
      <section aria-labelledby="needs-hand" className="px-1">
        <h2 id="needs-hand" className="sr-only">
          {t('needsHand')}
        </h2>
        <p className="text-muted text-sm">{t('allWell')}</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="needs-hand" className="card px-5 pt-5 pb-3">
      <h2 id="needs-hand" className="font-semibold">
        {t('needsHand')}
      </h2>
      {waiting.length === 0 && <p className="mt-1 mb-2 text-muted">{t('allSeen')}</p>}
      <ul className="divide-y divide-line">
        {waiting.map((cause) => (
          <Waiting key={cause.cause} {...props} cause={cause} />
        ))}
      </ul>
      {seen.length > 0 && <Seen {...props} causes={seen} />}
    </section>
  );
}
