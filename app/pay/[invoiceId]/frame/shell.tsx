import type { ReactNode } from 'react';
import { HouseMark } from '#app/_ui/house-mark.tsx';
import { FlaskIcon } from '#app/_ui/icons.tsx';
import { LanguageSelector } from '#app/_ui/language-selector.tsx';
import { type Translator, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { SellerDetails } from '#server/merchants/types.ts';
import { LanguageLink } from './language-link.tsx';
import { SellerFooter } from './seller-footer.tsx';

function TestBanner({ t, takesCard }: { t: Translator<'pay'>; takesCard: boolean }) {
  return (
    <aside
      aria-label={t('sandbox.banner')}
      className="border-caution-line border-b bg-caution-soft print:hidden"
    >
      <p className="mx-auto flex max-w-5xl flex-wrap items-center justify-center gap-x-2 px-4 py-1 text-center text-[0.8125rem] sm:py-2 sm:text-sm">
        <FlaskIcon className="size-4 shrink-0 text-caution" />
        <strong className="font-semibold">{t('sandbox.banner')}</strong>
        <span className="text-balance">
          {t('sandbox.text')}
          {/* A phone's line has no room for it: the cards stand above the form. */}
          {takesCard && <span className="max-sm:hidden"> {t('sandbox.useTestCard')}</span>}
        </span>
      </p>
    </aside>
  );
}

/** The width is that of the page's content: the languages stand above its edge. */
const WIDTHS = {
  /** The page has two columns. */
  order: 'max-w-5xl',
  column: 'max-w-[46rem]',
  message: 'max-w-[40rem]',
  card: 'max-w-[32rem]',
};

/** The frame of every page that a buyer sees. */
export function Shell({
  locale,
  t,
  sandbox,
  takesCard = false,
  start,
  width = 'order',
  seller,
  children,
}: {
  locale: Locale;
  t: Translator<'pay'>;
  sandbox: boolean;
  /** Whether a card can be entered here. */
  takesCard?: boolean;
  /** The sign of the page's owner. */
  start?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** What the page's foot tells of the merchant. */
  seller?: SellerDetails;
  children: ReactNode;
}) {
  return (
    <div lang={locale} className="flex min-h-dvh flex-col">
      <a
        href="#payment"
        className="button button-primary sr-only focus:not-sr-only focus:absolute focus:px-4.5 focus:py-2 focus:top-2 focus:left-2 focus:z-10"
      >
        {t('skipToPayment')}
      </a>
      <div aria-hidden="true" className="frieze" />
      {sandbox && <TestBanner t={t} takesCard={takesCard} />}
      <div className={`mx-auto w-full flex-1 px-4 sm:px-6 lg:px-8 ${WIDTHS[width]}`}>
        <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pt-2 sm:gap-x-5 sm:pt-8">
          <div className="flex min-w-0 flex-[1_1_8rem] items-center gap-3 sm:flex-[1_1_12rem]">
            {start}
          </div>
          <div className="print:hidden">
            <LanguageSelector locale={locale} isShort Anchor={takesCard ? LanguageLink : 'a'} />
          </div>
        </header>
        {children}
      </div>
      <footer>
        {seller && <SellerFooter seller={seller} width={WIDTHS[width]} t={t} />}
        <p
          className={`mx-auto flex w-full items-center gap-2 px-4 pb-6 text-muted text-sm sm:px-6 lg:px-8 print:hidden ${WIDTHS[width]}`}
        >
          <HouseMark className="size-4 shrink-0" />
          {translatorOf(locale, 'site')('front.title')}
        </p>
      </footer>
    </div>
  );
}
