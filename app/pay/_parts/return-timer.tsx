'use client';

import { useEffect, useState } from 'react';
import type { PayMessages } from '../_i18n/en.ts';

type Props = {
  to: string;
  /** What to say with so many seconds left, from 0 on; the last is where it begins. */
  texts: readonly string[];
  t: Pick<PayMessages['returns'], 'stay' | 'staying'>;
};

// As long as a slow shop may take to answer. Nothing tells a page that its leaving was stopped,
// or was answered without another page.
const LEAVING_MS = 20_000;

/** Takes the buyer back to the shop after a while, unless told to stay (WCAG 2.2, 2.2.1). */
export function ReturnTimer({ to, texts, t }: Props) {
  const [leftS, setLeftS] = useState(texts.length - 1);
  const [staying, setStaying] = useState<'asked' | 'over' | null>(null);
  useEffect(() => {
    if (staying) return;
    const isOver = leftS <= 0;
    if (isOver) window.location.assign(to);
    const next = () => (isOver ? setStaying('over') : setLeftS(leftS - 1));
    const timer = setTimeout(next, isOver ? LEAVING_MS : 1000);
    return () => clearTimeout(timer);
  }, [leftS, staying, to]);
  // A leaving may be under way. Nobody called off what is only slow.
  useEffect(() => {
    if (staying === 'asked') window.stop();
  }, [staying]);
  // Whoever comes back from the shop has been there.
  useEffect(() => {
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) setStaying('over');
    };
    window.addEventListener('pageshow', restored);
    return () => window.removeEventListener('pageshow', restored);
  }, []);

  if (staying) return <p role="status">{t.staying}</p>;
  return (
    <div className="needs-script flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
      <p className="tabular-nums">{texts[leftS]}</p>
      <button
        type="button"
        className="link min-h-6 font-medium"
        onClick={() => setStaying('asked')}
      >
        {t.stay}
      </button>
    </div>
  );
}
