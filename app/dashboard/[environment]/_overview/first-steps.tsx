import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { ChecklistView } from '#server/trpc/rows.ts';
import { ActionButton } from '../../_shared/forms/action-button.tsx';

type Props = {
  environment: Environment;
  locale: Locale;
  steps: ChecklistView;
  mayDismiss: boolean;
};

type Step = ChecklistView[number]['step'];

/** Where each is done. */
const WAYS: Record<Step, (environment: Environment) => string> = {
  seller: (environment) => `/dashboard/${environment}/settings`,
  testPayment: () => '/dashboard/sandbox/invoices/new',
  callback: () => '/dashboard/sandbox/callbacks/test',
  secondFactor: (environment) => `/dashboard/${environment}/account`,
  colleague: (environment) => `/dashboard/${environment}/team`,
  method: () => '/dashboard/production/payment-methods/connect',
  live: () => '/dashboard/production/developers',
};

function Tick({ isDone }: { isDone: boolean }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5 shrink-0">
      <circle
        cx="10"
        cy="10"
        r="9"
        className={isDone ? 'fill-positive' : 'fill-none stroke-control'}
        strokeWidth="1.5"
      />
      {isDone && (
        <path
          d="m6 10.5 2.7 2.7L14 7.8"
          className="fill-none stroke-surface"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}

/** The way of a new merchant to its first real payment; what is done ticks itself. */
export function FirstSteps({ environment, locale, steps, mayDismiss }: Props) {
  const t = translatorOf(locale, 'overview');
  const words = translatorOf(locale, 'overview.firstSteps');
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section aria-labelledby="first-steps" className="card @container p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="first-steps" className="font-semibold">
          {t('toFirstPayment')}
        </h2>
        <p className="text-muted text-sm tabular-nums">
          {t('stepsDone', { done, all: steps.length })}
        </p>
      </div>
      <ol className="mt-3 grid grid-cols-1 gap-x-8 @xl:grid-cols-2">
        {steps.map(({ step, isDone }) => (
          <li key={step} className="relative flex items-center gap-3 py-2 pointer-coarse:py-3">
            <Tick isDone={isDone} />
            {isDone ? (
              <span className="min-w-0 text-muted">
                <span className="sr-only">{t('done')}: </span>
                {words(step)}
              </span>
            ) : (
              <PageLink
                href={WAYS[step](environment)}
                className="min-w-0 font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
              >
                {words(step)}
              </PageLink>
            )}
          </li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm">{t('endsWithPayment')}</p>
        {mayDismiss && (
          <ActionButton
            environment={environment}
            action={{ does: 'dismissChecklist' }}
            label={t('dismiss')}
            className="button button-plain button-compact"
          />
        )}
      </div>
    </section>
  );
}
