import { requestLocale } from './_i18n/request-locale.ts';
import { siteMessages } from './_i18n/site-messages.ts';

export default async function NotFound() {
  const locale = await requestLocale();
  const t = siteMessages(locale);
  return (
    <main lang={locale} className="mx-auto grid min-h-dvh max-w-xl content-center gap-3 px-6 py-16">
      <p className="font-semibold text-muted">404</p>
      <h1 className="font-semibold text-3xl tracking-tight">{t.notFound.title}</h1>
      <p className="text-muted">{t.notFound.text}</p>
      <p className="pt-1">
        <a className="link inline-block py-1" href="/">
          {t.notFound.home}
        </a>
      </p>
    </main>
  );
}
