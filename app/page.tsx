import { requestLocale } from './_i18n/request-locale.ts';
import { siteMessages } from './_i18n/site-messages.ts';
import { LanguageSelector } from './_ui/language-selector.tsx';

export default async function FrontPage() {
  const locale = await requestLocale();
  const { front } = siteMessages(locale);
  const places = [
    { href: '/docs', title: front.docs, text: front.docsText },
    { href: '/dashboard', title: front.dashboard, text: front.dashboardText },
    { href: '/api/health', title: front.health, text: front.healthText },
  ];
  return (
    <div className="mx-auto flex min-h-dvh max-w-3xl flex-col px-6 py-12 sm:py-24">
      <main className="flex-1">
        <img src="/icon.svg" alt="" width="48" height="48" />
        <h1 className="mt-8 font-semibold text-4xl tracking-tight sm:text-5xl">{front.title}</h1>
        <p className="mt-4 max-w-xl text-lg text-muted text-pretty">{front.lead}</p>
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
