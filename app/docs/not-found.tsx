import { translatorOf } from '#server/i18n/translator.ts';
import { apiPage } from './_content/pages.ts';
import { docsLanguage } from './_parts/docs-language.ts';
import { cardGroups, PageCards } from './_parts/page-cards.tsx';

/** An unknown address in the docs, in their frame: the menu and the search still work. */
export default async function NoSuchPage() {
  const language = await docsLanguage();
  const t = translatorOf(language, 'docs.missing');
  return (
    <div className="px-4 md:px-8">
      <main id="main" tabIndex={-1} className="mx-auto max-w-5xl py-8 outline-none md:py-12">
        <p className="font-semibold text-muted">404</p>
        <h1 className="font-semibold text-3xl tracking-tight md:text-4xl">{t('heading')}</h1>
        <p className="mt-3 max-w-2xl text-lg text-muted text-pretty">{t('advice')}</p>
        <PageCards cards={[...(cardGroups(language)[0]?.cards ?? []), apiPage(language)]} />
      </main>
    </div>
  );
}
