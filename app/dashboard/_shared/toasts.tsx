'use client';

import { useEffect, useState } from 'react';
import { AlertIcon, CheckIcon, CrossIcon } from '#app/_ui/icons.tsx';
import { isUnsaved } from './forms/unsaved.ts';
import { TOAST_EVENT, type ToastMessage } from './show-toast.ts';

type Toast = ToastMessage & { key: number };

const SHOWN_MS = 6_000;
/** More would hide the page. */
const MOST = 3;

let count = 0;

export type ToastWords = {
  dismiss: string;
  reload: string;
  signIn: string;
  pageStays: string;
  typedStays: string;
};

/** How to go on, if there is a way. */
function Offer({ offers, t }: { offers: Toast['offers']; t: ToastWords }) {
  const look = 'button button-plain mt-2 button-compact';
  if (offers === 'reload') {
    return (
      <button type="button" className={look} onClick={() => window.location.reload()}>
        {t.reload}
      </button>
    );
  }
  if (offers !== 'sign_in') return null;
  return (
    <>
      <p>{isUnsaved() ? t.typedStays : t.pageStays}</p>
      {/* Not in this tab, which would take away what is typed. */}
      <a className={look} href="/dashboard/sign-in" target="_blank" rel="noopener">
        {t.signIn}
      </a>
    </>
  );
}

/**
 * Where toasts appear. Both regions are there before any words are, or screen readers
 * would not read them; a failure is read at once, all else when the reader has a pause.
 */
export function Toasts({ t }: { t: ToastWords }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const drop = (key: number) => setToasts((all) => all.filter((each) => each.key !== key));

  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const onToast = (event: Event) => {
      const { detail } = event as CustomEvent<ToastMessage>;
      count += 1;
      const toast = { ...detail, key: count };
      setToasts((all) => {
        // Who asked says it as well: the words stand there once, with the way on.
        const said = all.find(({ offers, text }) => offers !== null && text === toast.text);
        // What has been done was done by somebody who is signed in.
        const isOver = ({ offers }: Toast) => toast.tone === 'positive' && offers === 'sign_in';
        const others = all.filter((each) => each !== said && !isOver(each));
        const offers = toast.offers ?? said?.offers ?? null;
        return [...others, { ...toast, offers }].slice(-MOST);
      });
      if (toast.tone === 'negative') return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        setToasts((all) => all.filter(({ key }) => key !== toast.key));
      }, SHOWN_MS);
      timers.add(timer);
    };
    window.addEventListener(TOAST_EVENT, onToast);
    return () => {
      window.removeEventListener(TOAST_EVENT, onToast);
      for (const timer of timers) clearTimeout(timer);
    };
  }, []);

  const shown = (tone: Toast['tone']) =>
    toasts
      .filter((each) => each.tone === tone)
      .map(({ key, text, offers }) => (
        <div
          key={key}
          className="card pointer-events-auto flex animate-[rise_160ms_ease] items-start gap-3 py-3 pr-2 pl-4"
        >
          {tone === 'positive' ? (
            <CheckIcon className="mt-0.5 size-5 shrink-0 text-positive" />
          ) : (
            <AlertIcon className="mt-0.5 size-5 shrink-0 text-negative" />
          )}
          <div className="min-w-0 flex-1">
            <p className="[overflow-wrap:anywhere]">{text}</p>
            <Offer offers={offers} t={t} />
          </div>
          <button
            type="button"
            aria-label={t.dismiss}
            className="-my-1 grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunk hover:text-ink"
            onClick={() => drop(key)}
          >
            <CrossIcon className="size-4" />
          </button>
        </div>
      ));

  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-4 z-20 grid justify-items-stretch gap-2 text-[0.9375rem] sm:left-auto sm:w-96">
      <div aria-live="assertive" className="grid gap-2">
        {shown('negative')}
      </div>
      <div aria-live="polite" className="grid gap-2">
        {shown('positive')}
      </div>
    </div>
  );
}
