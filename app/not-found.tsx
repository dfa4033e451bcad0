import { translatorOf } from '#server/i18n/translator.ts';
import { requestLocale } from './_i18n/request-locale.ts';
import { LanguageSelector } from './_ui/language-selector.tsx';

/** The layout is that of the other pages that stand alone. */
export default async function NotFound() {
  const locale = await requestLocale();
  const t = translatorOf(locale, 'site.notFound');
  return (
    <div lang={locale} className="mx-auto flex min-h-dvh max-w-md flex-col px-4 py-10 sm:py-20">
      <div aria-hidden="true" className="frieze absolute inset-x-0 top-0" />
      <main className="flex-1">
        <img src="/icon.svg" alt="" width="44" height="44" />
        <p className="mt-6 font-semibold text-muted">404</p>
        <h1 className="font-semibold text-3xl tracking-tight">{t('title')}</h1>
        <p className="mt-1 text-muted">{t('text')}</p>
        <a className="button button-plain mt-6" href="/">
          {t('home')}
        </a>
      </main>
      <footer className="pt-10">
        <LanguageSelector locale={locale} />
      </footer>
    </div>
  );
}
