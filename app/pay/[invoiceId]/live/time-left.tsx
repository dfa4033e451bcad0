'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Messages } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { clockText, milestonePassed, VISIBLE_FROM_S } from './countdown.ts';
import { CHECK_NOW } from './live.tsx';
import { serverClock, sinceDocumentMs } from './server-clock.ts';
import { useSaid } from './use-said.ts';

type Props = {
  endDateMs: number;
  /** The server's time when the page was made; the browser's may be wrong. */
  nowMs: number;
  locale: Locale;
  t: Messages['pay']['time'];
};

const never = () => () => undefined;

/** The first `nowMs` if it came with the document, not with a later rendering of the page. */
function useDocumentNowMs(nowMs: number): number | null {
  const isOfScript = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return useRef(isOfScript ? null : nowMs).current;
}

/**
 * The remaining time to pay: nothing until the last ten minutes, then a clock that only sighted
 * people see tick; others hear milestones.
 */
export function TimeLeft({ endDateMs, nowMs, locale, t }: Props) {
  const [leftS, setLeftS] = useState<number | null>(null);
  const [said, say] = useSaid(locale);
  const documentNowMs = useDocumentNowMs(nowMs);
  useEffect(() => {
    const clock = serverClock(nowMs, nowMs === documentNowMs ? sinceDocumentMs() : 0);
    const left = () => (endDateMs - clock()) / 1000;
    let before = left();
    const tick = () => {
      const now = left();
      setLeftS(now);
      const milestone = milestonePassed(before, now);
      before = now;
      if (milestone === null) return;
      say(t.milestones[milestone]);
      // The invoice can still be paid exactly at its end date; a moment later it has expired.
      if (milestone === 0) setTimeout(() => window.dispatchEvent(new Event(CHECK_NOW)), 300);
    };
    setLeftS(before);
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [endDateMs, nowMs, documentNowMs, say, t]);

  const visible = leftS !== null && leftS <= VISIBLE_FROM_S;
  return (
    <>
      {visible && (
        <p aria-hidden="true" data-clock="" className="self-center [grid-area:1/1]">
          {t.left} <span className="ml-1 font-semibold tabular-nums">{clockText(leftS)}</span>
        </p>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}
