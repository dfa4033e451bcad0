import { firstLetter } from '#app/_ui/first-letter.ts';
import { AlertIcon, ChevronIcon, Spinner } from '#app/_ui/icons.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import type { LoadedInvoice } from '../loader.ts';
import { LeavingForm } from './leaving-form.tsx';

export type AccountMethod = Extract<LoadedInvoice['methods'][number], { kind: 'account' }>;

/** The colours that buyers know acquirers by; white on each reaches 4.5:1. */
const COLOURS: Record<string, string> = {
  payme: '#0b7d83',
  click: '#0058d6',
  multicard: '#6238b8',
  stripe: '#4f46d8',
};

/** The acquirer's initial on its colour, drawn here: nothing is fetched or copied for it. */
function MethodMark({ name, provider }: AccountMethod) {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className="size-10 shrink-0">
      <rect width="40" height="40" rx="10" fill={COLOURS[provider] ?? '#4a515e'} />
      <text x="20" y="27" textAnchor="middle" fontSize="20" fontWeight="600" fill="#fff">
        {firstLetter(name)}
      </text>
    </svg>
  );
}

function MethodForm({
  invoiceId,
  method: { id, name },
  t,
  children,
}: {
  invoiceId: string;
  method: AccountMethod;
  t: Translator<'pay'>;
  children: React.ReactNode;
}) {
  return (
    <LeavingForm
      action={`/pay/${invoiceId}/start`}
      data-method={id}
      going={t('methods.going', { method: name })}
      className="group/method"
    >
      <input type="hidden" name="method" value={id} />
      {children}
    </LeavingForm>
  );
}

type Props = { invoiceId: string; t: Translator<'pay'> };

/** The only acquirer: a button that leads there instead of a choice. */
export function OnlyMethod({ method, ...props }: Props & { method: AccountMethod }) {
  const { t } = props;
  const { name } = method;
  return (
    <MethodForm method={method} {...props}>
      <button type="submit" className="button button-primary button-large">
        <Spinner className="hidden size-5 group-data-going/method:block" />
        <span className="wrap-anywhere min-w-0 group-data-going/method:hidden">
          {t('methods.payWith', { method: name })}
        </span>
        <span className="wrap-anywhere hidden min-w-0 group-data-going/method:block">
          {t('methods.going', { method: name })}
        </span>
      </button>
      {method.isDown && (
        <p className="flex items-start gap-2 pt-4 text-caution text-sm">
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {t('methods.onlyDown', { method: name })}
        </p>
      )}
      <p className="pt-4 text-balance text-center text-muted text-sm">
        {t('methods.elsewhere', { method: name })}
      </p>
    </MethodForm>
  );
}

/**
 * The acquirers that the buyer can go to. Each is a form that works without script: its answer
 * leads to the acquirer.
 */
export function Methods({ methods, ...props }: Props & { methods: readonly AccountMethod[] }) {
  const { t } = props;
  return (
    <ul className="space-y-3">
      {methods.map((method) => (
        <li key={method.id}>
          <MethodForm method={method} {...props}>
            <button
              type="submit"
              className="flex min-h-18 w-full items-center gap-3 rounded-xl border border-control bg-surface px-3.5 py-3 sm:gap-4 sm:px-4 text-left transition-colors hover:border-ink hover:bg-sunk"
            >
              <MethodMark {...method} />
              <span className="min-w-0 flex-1">
                <span className="wrap-anywhere block font-semibold leading-snug">
                  {method.name}
                </span>
                <span
                  className={`block text-balance text-sm group-data-going/method:hidden ${method.isDown ? 'text-caution' : 'text-muted'}`}
                >
                  {method.isDown ? t('methods.down') : hintOf(method, t)}
                </span>
                <span className="hidden text-muted text-sm group-data-going/method:block">
                  {t('methods.going', { method: method.name })}
                </span>
              </span>
              <ChevronIcon className="size-5 shrink-0 -rotate-90 text-muted group-data-going/method:hidden" />
              <Spinner className="hidden size-5 shrink-0 text-muted group-data-going/method:block" />
            </button>
          </MethodForm>
        </li>
      ))}
    </ul>
  );
}

function hintOf({ provider, name }: AccountMethod, t: Translator<'pay'>): string {
  switch (provider) {
    case 'payme':
    case 'click':
    case 'multicard':
    case 'stripe':
      return t(`methods.kinds.${provider}`);
    default:
      return t('methods.elsewhere', { method: name });
  }
}
