'use client';

import { useEffect, useRef, useState } from 'react';
import type { Messages } from '#server/i18n/translator.ts';

type Props = {
  to: string;
  /** The texts by seconds left, from 0 on; the last is the first one shown. */
  texts: readonly string[];
  t: Pick<Messages['pay']['returns'], 'stay' | 'staying'>;
};

// A slow shop may take this long to answer. No event tells a page that its leaving was stopped, or
// was answered without another page.
const LEAVING_MS = 20_000;
/** The value in place of the seconds left: a link was pressed, and leads to its own target. */
const BY_LINK = -1;

/** Makes a reload, another language and the way back all find a page that stays. */
function stayByAddress(): void {
  const address = new URL(window.location.href);
  address.searchParams.set('stay', '1');
  // Next adds its own data of the entry.
  window.history.replaceState(null, '', address);
}

/** Whether the buyer reads elsewhere or has a control of the page in the keyboard's focus. */
function isLookedAt(): boolean {
  return document.hidden || document.activeElement?.matches('a, button, summary, input') === true;
}

/**
 * Takes the buyer back to the shop after a while, unless told to stay (WCAG 2.2, 2.2.1). The time
 * rests while something on the page has the focus, or another tab is looked at.
 */
export function ReturnTimer({ to, texts, t }: Props) {
  const [leftS, setLeftS] = useState(texts.length - 1);
  const [staying, setStaying] = useState<'asked' | 'over' | null>(null);
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (staying) return;
    const isLeaving = leftS <= 0;
    if (leftS === 0) {
      stayByAddress();
      window.location.assign(to);
    }
    if (isLeaving) {
      const timer = setTimeout(() => setStaying('over'), LEAVING_MS);
      return () => clearTimeout(timer);
    }
    const timer = setInterval(() => isLookedAt() || setLeftS(leftS - 1), 1000);
    return () => clearInterval(timer);
  }, [leftS, staying, to]);
  useEffect(() => {
    if (staying !== 'asked') return;
    // The page may be about to leave: a slow navigation is not a cancelled one.
    window.stop();
    stayByAddress();
    // The button that had the focus is gone.
    said.current?.focus();
  }, [staying]);
  useEffect(() => {
    const pressed = ({ target, button }: MouseEvent) => {
      // The right button only opens a menu.
      if (button === 2) return;
      const link = target instanceof Element && target.closest('a[href]:not([href^="#"])');
      if (!link) return;
      stayByAddress();
      setLeftS(BY_LINK);
    };
    // A buyer who comes back from the shop has been there.
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) setStaying('over');
    };
    document.addEventListener('click', pressed);
    // The middle button opens another tab; this page must not leave unseen.
    document.addEventListener('auxclick', pressed);
    window.addEventListener('pageshow', restored);
    return () => {
      document.removeEventListener('click', pressed);
      document.removeEventListener('auxclick', pressed);
      window.removeEventListener('pageshow', restored);
    };
  }, []);

  return (
    <div className="needs-script">
      {/* There before it speaks: what is put in together with its words is not read out by all. */}
      <p ref={said} role="status" tabIndex={-1} className="rounded">
        {staying && t.staying}
      </p>
      {!staying && leftS >= 0 && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
          <p className="tabular-nums">{texts[leftS]}</p>
          <button
            type="button"
            className="link min-h-6 font-medium"
            onClick={() => setStaying('asked')}
          >
            {t.stay}
          </button>
        </div>
      )}
    </div>
  );
}
