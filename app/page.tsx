import { translatorOf } from '#server/i18n/translator.ts';
import { requestLocale } from './_i18n/request-locale.ts';
import { LanguageSelector } from './_ui/language-selector.tsx';
import { docsAddress } from './docs/_content/docs-language.ts';

export default async function FrontPage() {
  const locale = await requestLocale();
  const t = translatorOf(locale, 'site.front');
  const places = [
    { href: docsAddress('/docs', locale), title: t('docs'), text: t('docsText') },
    { href: '/dashboard', title: t('dashboard'), text: t('dashboardText') },
    { href: '/api/health', title: t('health'), text: t('healthText') },
  ];
  return (
    <div className="mx-auto flex min-h-dvh max-w-3xl flex-col px-6 py-12 sm:py-24">
      <div aria-hidden="true" className="frieze absolute inset-x-0 top-0" />
      <main className="flex-1">
        <img src="/icon.svg" alt="" width="48" height="48" />
        <h1 className="mt-8 font-semibold text-4xl tracking-tight sm:text-5xl">{t('title')}</h1>
        <p className="mt-4 max-w-xl text-lg text-muted text-pretty">{t('lead')}</p>
        <ul className="mt-10 grid grid-cols-1 gap-4 sm:grid-cols-3">
          {places.map(({ href, title, text }) => (
            <li key={href}>
              <a
                href={href}
                className="card wrap-anywhere block h-full p-5 transition-colors hover:border-control"
              >
                <span className="font-semibold">{title}</span>
                <span className="mt-1 block text-muted text-sm">{text}</span>
              </a>
            </li>
          ))}
        </ul>
      </main>
      <footer className="pt-12">
        <LanguageSelector locale={locale} />
      </footer>
    </div>
  );
}
