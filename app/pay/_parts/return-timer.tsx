'use client';

import { useEffect, useState } from 'react';
import type { PayMessages } from '../_i18n/en.ts';

type Props = {
  to: string;
  /** What to say with so many seconds left, from 0 on; the last is where it begins. */
  texts: readonly string[];
  t: Pick<PayMessages['returns'], 'stay' | 'staying'>;
};

/** Takes the buyer back to the shop after a while, unless told to stay (WCAG 2.2, 2.2.1). */
export function ReturnTimer({ to, texts, t }: Props) {
  const [leftS, setLeftS] = useState(texts.length - 1);
  const [staying, setStaying] = useState(false);
  useEffect(() => {
    if (staying) return;
    if (leftS <= 0) {
      window.location.assign(to);
      return;
    }
    const timer = setTimeout(() => setLeftS(leftS - 1), 1000);
    return () => clearTimeout(timer);
  }, [leftS, staying, to]);

  if (staying) return <p role="status">{t.staying}</p>;
  return (
    <div className="needs-script flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
      <p className="tabular-nums">{texts[leftS]}</p>
      <button type="button" className="link min-h-6 font-medium" onClick={() => setStaying(true)}>
        {t.stay}
      </button>
    </div>
  );
}
