'use client';

import { useEffect, useState } from 'react';
import type { PayMessages } from '../_i18n/en.ts';

/** Takes the buyer back to the shop after a while, unless told to stay (WCAG 2.2, 2.2.1). */
export function ReturnTimer({
  to,
  afterS,
  t,
}: {
  to: string;
  afterS: number;
  t: Pick<PayMessages['returns'], 'redirecting' | 'seconds' | 'stay' | 'staying'>;
}) {
  const [leftS, setLeftS] = useState(afterS);
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
      <p className="tabular-nums">
        {t.redirecting} {leftS} {t.seconds}
      </p>
      <button type="button" className="link min-h-6 font-medium" onClick={() => setStaying(true)}>
        {t.stay}
      </button>
    </div>
  );
}
