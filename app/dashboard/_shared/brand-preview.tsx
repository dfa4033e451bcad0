'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { brandOn, contrastRatio, SURFACES } from '#app/_ui/contrast.ts';
import { firstLetter } from '#app/_ui/first-letter.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { LOGO } from '../../pay/[invoiceId]/frame/merchant-mark.tsx';

/** The tokens `--accent` and `--on-accent` of globals.css. */
export const HOUSE = {
  light: { background: '#08697a', text: '#ffffff' },
  dark: { background: '#52d3df', text: '#04222c' },
};
const LOOKS = {
  light: 'border-[#e3d8c3] bg-[#fffdf8] text-[#13204d]',
  dark: 'night border-line bg-surface',
};

type Pair = { background: string; text: string };

/** Colours are set by script, because the page's policy allows no style in the markup. */
function Painted({
  pair,
  className,
  children,
}: {
  pair: Pair;
  className: string;
  children: ReactNode;
}) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    element.current?.style.setProperty('background-color', pair.background);
    element.current?.style.setProperty('color', pair.text);
  }, [pair.background, pair.text]);
  return (
    <span ref={element} className={className}>
      {children}
    </span>
  );
}

export type Brand = {
  name: string;
  logoUrl: string | null;
  /** `#rrggbb`, or null for the house colour. */
  color: string | null;
};

/**
 * The children may paint themselves with `--brand` and `--on-brand` as the payment page does. These
 * are set to the merchant's colour in a theme that it suits; otherwise the house colour applies.
 */
export function Branded({
  color,
  className,
  children,
}: {
  color: string | null;
  className: string;
  children: ReactNode;
}) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const theme of ['light', 'dark'] as const) {
      const pair = brandOn(SURFACES[theme], color);
      element.current?.style.setProperty(`--brand-${theme}`, pair?.background ?? '');
      element.current?.style.setProperty(`--on-brand-${theme}`, pair?.text ?? '');
    }
  }, [color]);
  const light = '[--brand:var(--brand-light)] [--on-brand:var(--on-brand-light)]';
  const dark = 'dark:[--brand:var(--brand-dark)] dark:[--on-brand:var(--on-brand-dark)]';
  return (
    <div ref={element} className={`${light} ${dark} ${className}`}>
      {children}
    </div>
  );
}

type Props = Brand & { locale: Locale };

function Theme({ theme, locale, name, logoUrl, color }: Props & { theme: 'light' | 'dark' }) {
  const t = useTranslations('dashboard.settings');
  const own = brandOn(SURFACES[theme], color);
  const pair = own ?? HOUSE[theme];
  const ratio = numberFormat(locale, { maximumFractionDigits: 1 });
  return (
    <div className="grid grid-cols-1 content-start gap-2">
      <p className="font-medium text-sm">{t(theme)}</p>
      <div
        aria-hidden="true"
        className={`swatch grid grid-cols-1 gap-4 rounded-xl border p-4 ${LOOKS[theme]}`}
      >
        <div className="flex min-w-0 items-center gap-3">
          {logoUrl ? (
            <img src={logoUrl} alt="" className={LOGO} />
          ) : (
            <Painted
              pair={pair}
              className="niche grid h-11 w-9 shrink-0 place-items-center pt-1.5 font-semibold text-lg"
            >
              {firstLetter(name)}
            </Painted>
          )}
          <bdi className="min-w-0 break-words font-semibold">{name}</bdi>
        </div>
        <Painted pair={pair} className="rounded-control px-4 py-3 text-center font-semibold">
          {t('pay')} {formatMoney(1500n, 'USD', locale)}
        </Painted>
      </div>
      {color && (
        <p className="text-muted text-sm">
          {own ? t('used') : t('house')} {t('contrast')}{' '}
          {ratio.format(contrastRatio(color, SURFACES[theme]))}:1
        </p>
      )}
    </div>
  );
}

/** A card that shows the merchant as buyers will see it, judged as the payment page judges it. */
export function BrandPreview(props: Props) {
  const t = useTranslations('dashboard.settings');
  return (
    <section aria-labelledby="preview" className="card p-5 lg:sticky lg:top-6">
      <h2 id="preview" className="mb-3 font-semibold">
        {t('preview')}
      </h2>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-1">
        <Theme theme="light" {...props} />
        <Theme theme="dark" {...props} />
      </div>
    </section>
  );
}
