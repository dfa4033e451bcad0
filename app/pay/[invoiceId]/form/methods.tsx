import { firstLetter } from '#app/_ui/first-letter.ts';
import { AlertIcon, ChevronIcon, Spinner } from '#app/_ui/icons.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import type { LoadedInvoice } from '../loader.ts';
import { FoldedOnPhone } from './folded-on-phone.tsx';
import { LeavingForm } from './leaving-form.tsx';

export type AccountMethod = Extract<LoadedInvoice['methods'][number], { kind: 'account' }>;

/** The colours that buyers know acquirers by; white on each reaches 4.5:1. */
const COLOURS: Record<string, string> = {
  payme: '#0b7d83',
  click: '#0058d6',
  multicard: '#6238b8',
  stripe: '#4f46d8',
  yookassa: '#7a2fe0',
};

/** The acquirer's initial on its colour, drawn here: nothing is fetched or copied for it. */
function MethodMark({ name, provider }: AccountMethod) {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className="size-10 shrink-0">
      <rect width="40" height="40" rx="5" fill={COLOURS[provider] ?? '#4a515e'} />
      <text x="20" y="27" textAnchor="middle" fontSize="20" fontWeight="600" fill="#fff">
        {firstLetter(name)}
      </text>
    </svg>
  );
}

type Props = {
  invoiceId: string;
  /** The address that the buyer last typed for a receipt. */
  email: string;
  /** Whether a method was chosen without a valid address. */
  isEmailWrong: boolean;
  /** Whether the buyer can have a confirmation of ours by e-mail. */
  offersEmail: boolean;
  t: Translator<'pay'>;
};
type WithMethods = Props & { methods: readonly AccountMethod[] };

/**
 * The address to which the receipt goes, checked by the browser and once more by the server. It is
 * demanded only where each method demands it.
 */
function EmailField({ methods, email, isEmailWrong, offersEmail, t }: WithMethods) {
  const asking = methods.filter(({ asksEmail }) => asksEmail);
  if (asking.length === 0 && !offersEmail) return null;
  const isDemanded = asking.length === methods.length;
  const hints = [
    ...(offersEmail ? [t('methods.emailOurs')] : []),
    ...asking.map(({ name }) => t('methods.emailHint', { method: name })),
  ];
  const [label, optional] = [t('methods.email'), t('methods.emailOptional')];
  const field = (
    <div className="pb-3 sm:pb-4">
      <div className="flex flex-wrap justify-between gap-x-3">
        <label htmlFor="buyer-email" className="field-label">
          {label}
        </label>
        {!isDemanded && <span className="mb-1.5 text-muted text-sm">{optional}</span>}
      </div>
      <input
        id="buyer-email"
        name="email"
        type="email"
        className="field-input"
        autoComplete="email"
        required={isDemanded}
        maxLength={254}
        defaultValue={email}
        aria-invalid={isEmailWrong || undefined}
        aria-describedby={`${isEmailWrong ? 'buyer-email-error ' : ''}buyer-email-hint`}
      />
      {isEmailWrong && (
        <p id="buyer-email-error" className="field-error">
          {t('methods.emailFault')}
        </p>
      )}
      <p id="buyer-email-hint" className="mt-1.5 text-pretty text-muted text-sm">
        {hints.join(' ')}
      </p>
    </div>
  );
  if (isDemanded) return field;
  return (
    <FoldedOnPhone words={{ label, optional }} isOpen={email !== '' || isEmailWrong}>
      {field}
    </FoldedOnPhone>
  );
}

/** The button of a method; `group/method` has `data-going` once it is pressed. */
function MethodButton({
  method: { id, name },
  t,
  className,
  children,
}: {
  method: AccountMethod;
  t: Translator<'pay'>;
  className: string;
  children: React.ReactNode;
}) {
  return (
    <button
      type="submit"
      name="method"
      value={id}
      data-method={id}
      data-says={t('methods.going', { method: name })}
      className={`group/method ${className}`}
    >
      {children}
    </button>
  );
}

/** The only acquirer: a button that leads there instead of a choice. */
export function OnlyMethod({ method, ...props }: Props & { method: AccountMethod }) {
  const { t } = props;
  const { name } = method;
  return (
    <LeavingForm action={`/pay/${props.invoiceId}/start`}>
      <EmailField {...props} methods={[method]} />
      <MethodButton method={method} t={t} className="button button-primary button-large">
        <Spinner className="hidden size-5 group-data-going/method:block" />
        <span className="wrap-anywhere min-w-0 group-data-going/method:hidden">
          {t('methods.payWith', { method: name })}
        </span>
        <span className="wrap-anywhere hidden min-w-0 group-data-going/method:block">
          {t('methods.going', { method: name })}
        </span>
      </MethodButton>
      {method.isDown && (
        <p className="flex items-start gap-2 pt-4 text-caution text-sm">
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {t('methods.onlyDown', { method: name })}
        </p>
      )}
      <p className="pt-4 text-balance text-center text-muted text-sm">
        {t('methods.elsewhere', { method: name })}
      </p>
    </LeavingForm>
  );
}

/**
 * The acquirers that the buyer can go to: one form, so that the address serves each of them, whose
 * answer leads to the acquirer even without script.
 */
export function Methods(props: WithMethods) {
  const { t, methods } = props;
  return (
    <LeavingForm action={`/pay/${props.invoiceId}/start`}>
      <EmailField {...props} />
      <ul className="space-y-2 sm:space-y-3">
        {methods.map((method) => (
          <li key={method.id}>
            <MethodButton
              method={method}
              t={t}
              className="flex min-h-14 w-full sm:min-h-18 items-center gap-3 rounded-xl border border-control bg-surface px-3 py-1.5 sm:gap-4 sm:py-3 sm:px-4 text-left transition-colors hover:border-ink hover:bg-sunk"
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
            </MethodButton>
          </li>
        ))}
      </ul>
    </LeavingForm>
  );
}

function hintOf({ provider, name }: AccountMethod, t: Translator<'pay'>): string {
  switch (provider) {
    case 'payme':
    case 'click':
    case 'multicard':
    case 'stripe':
    case 'yookassa':
      return t(`methods.kinds.${provider}`);
    default:
      return t('methods.elsewhere', { method: name });
  }
}
