'use client';

import { Toast } from '@base-ui/react/toast';
import { useTranslations } from 'use-intl/react';
import { AlertIcon, CheckIcon, CrossIcon } from '#app/_ui/icons.tsx';
import { isUnsaved } from './forms/unsaved.ts';
import { type ToastTone, toastManager } from './show-toast.ts';

/** The way to continue, if there is one. */
function Offer({ offers }: { offers: string | undefined }) {
  const t = useTranslations('dashboard.toasts');
  const look = 'button button-plain mt-2 button-compact';
  if (offers === 'reload') {
    return (
      <button type="button" className={look} onClick={() => window.location.reload()}>
        {t('reload')}
      </button>
    );
  }
  if (offers !== 'sign_in') return null;
  return (
    <>
      <p>{isUnsaved() ? t('typedStays') : t('pageStays')}</p>
      {/* The link opens another tab, so that typed text stays. */}
      <a className={look} href="/dashboard/sign-in" target="_blank" rel="noopener">
        {t('signIn')}
      </a>
    </>
  );
}

/** Base UI makes each toast a dialog and a tab stop; here only its buttons are tab stops. */
const NO_DIALOG = { role: 'group', 'aria-modal': undefined, tabIndex: -1 } as const;

function ToastsOf({ tone }: { tone: ToastTone }) {
  const t = useTranslations('dashboard.toasts');
  const { toasts } = Toast.useToastManager<{ tone: ToastTone }>();
  const [Icon, color] =
    tone === 'positive' ? [CheckIcon, 'text-positive'] : [AlertIcon, 'text-negative'];
  return toasts
    .filter(({ data }) => data?.tone === tone)
    .reverse()
    .map((toast) => (
      <Toast.Root
        key={toast.id}
        toast={toast}
        {...NO_DIALOG}
        swipeDirection={[]}
        className="card pointer-events-auto flex animate-[rise_160ms_ease] items-start gap-3 py-3 pr-2 pl-4 data-limited:hidden"
      >
        <Icon className={`mt-0.5 size-5 shrink-0 ${color}`} />
        {/* A repeated message is a new element: screen readers would not read it otherwise. */}
        <div key={toast.updateKey} className="min-w-0 flex-1">
          <Toast.Description className="[overflow-wrap:anywhere]" />
          <Offer offers={toast.type} />
        </div>
        <Toast.Close
          aria-label={t('dismiss')}
          // Base UI hides it from screen readers unless the pointer or the focus is there.
          aria-hidden={false}
          className="-my-1 grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunk hover:text-ink"
        >
          <CrossIcon className="size-4" />
        </Toast.Close>
      </Toast.Root>
    ));
}

/**
 * The place of the toasts. Screen readers need both regions before any words are in them; a failure
 * is read at once, other messages at the reader's next pause.
 */
export function Toasts() {
  const t = useTranslations('dashboard.toasts');
  return (
    <Toast.Provider toastManager={toastManager}>
      <Toast.Viewport
        aria-live="off"
        aria-label={t('label')}
        className="pointer-events-none fixed inset-x-4 bottom-4 z-20 grid justify-items-stretch gap-2 text-[0.9375rem] outline-none sm:left-auto sm:w-96"
      >
        <div aria-live="assertive" className="grid gap-2">
          <ToastsOf tone="negative" />
        </div>
        <div aria-live="polite" className="grid gap-2">
          <ToastsOf tone="positive" />
        </div>
      </Toast.Viewport>
    </Toast.Provider>
  );
}
