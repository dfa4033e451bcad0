import './docs.css';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { settings } from '#server/settings/settings.ts';
import { type DocsLanguage, docsAddress } from './_content/docs-language.ts';
import { apiPage, docsGroups } from './_content/pages.ts';
import { docsLanguage } from './_parts/docs-language.ts';
import { DocsLanguages } from './_parts/docs-languages.tsx';
import { type NavGroup, NavTree } from './_parts/nav-tree.tsx';
import { PhoneMenu } from './_parts/phone-menu.tsx';
import { Search } from './_parts/search.tsx';
import { EVERYWHERE, operations } from './api/operations.ts';

export async function generateMetadata(): Promise<Metadata> {
  const title = translatorOf(await docsLanguage(), 'docs.frame')('title');
  return { title: { default: title, template: `%s · ${title}` } };
}

/** All pages; for the reference, its operations too. */
function navGroups(language: DocsLanguage): NavGroup[] {
  const t = translatorOf(language, 'docs.frame');
  const reference = apiPage(language);
  const inEnglish = language === 'en' ? undefined : t('inEnglish');
  const titles = operations(settings().publicUrl).map(({ id, summary: title }) => ({ id, title }));
  const parts = [...titles, EVERYWHERE].map(({ id, title }) => ({
    href: `${reference.href}#${id}`,
    text: title.replace(' (sandbox only)', ''),
  }));
  return [
    { title: null, links: [{ href: docsAddress('/docs', language), text: t('overview') }] },
    ...docsGroups(language).map(({ title, pages }) => ({
      title,
      links: pages.map((page) => ({
        href: docsAddress(`/docs/${page.slug}`, language),
        text: page.title,
        note: page.language === language ? undefined : inEnglish,
      })),
    })),
    {
      title: t('reference'),
      links: [{ href: reference.href, text: reference.title, note: inEnglish, parts }],
    },
  ];
}

function Header({ groups, language }: { groups: NavGroup[]; language: DocsLanguage }) {
  const t = translatorOf(language, 'docs.frame');
  return (
    <header className="docs-header @container">
      <div className="mx-auto flex h-14 max-w-[90rem] items-center gap-3 px-4 md:px-6">
        <Link
          href={docsAddress('/docs', language)}
          prefetch={false}
          className="flex items-center gap-2.5 font-semibold"
        >
          <img src="/icon.svg" alt="" width="26" height="26" />
          {/* The name leaves no room for the search and the menu in very large text. */}
          <span className="@max-[18rem]:sr-only">
            {t('gateway')}{' '}
            <span className="hidden font-normal text-muted xl:inline">{t('short')}</span>
          </span>
        </Link>
        <div className="ml-auto flex items-center gap-2">
          <Search language={language} />
          <div className="hidden lg:block">
            <DocsLanguages label={t('language')} language={language} />
          </div>
          <a
            href="/dashboard"
            className="hidden rounded-lg px-3 py-2 text-[0.9375rem] text-muted hover:bg-sunk hover:text-ink sm:block"
          >
            {t('dashboard')}
          </a>
          <PhoneMenu>
            <DocsLanguages label={t('language')} language={language} />
            <NavTree groups={groups} label={t('pages')} />
            <a
              href="/dashboard"
              className="mt-4 block border-line border-t px-3 pt-4 text-muted hover:text-ink sm:hidden"
            >
              {t('dashboard')}
            </a>
          </PhoneMenu>
        </div>
      </div>
    </header>
  );
}

/** Tells a reader of another language which languages there are, in their own. */
async function OtherReader({ language }: { language: DocsLanguage }) {
  const reader = await requestLocale();
  if (reader === language) return null;
  const t = translatorOf(reader, 'site');
  return (
    <aside lang={reader} className="docs-languages-hint print:hidden">
      <p>{t('docsLanguages')}</p>
      <DocsLanguages label={t('docsLanguages')} language={language} />
    </aside>
  );
}

/** The documentation's frame, in the language of the page's address. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const language = await docsLanguage();
  const t = translatorOf(language, 'docs.frame');
  const groups = navGroups(language);
  return (
    <ClientMessages locale={language} namespaces={['docs.frame', 'docs.search']}>
      <div lang={language} className="docs min-h-dvh bg-surface">
        <a
          href="#main"
          className="button button-primary sr-only focus:not-sr-only focus:absolute focus:px-4.5 focus:py-2 focus:top-2 focus:left-2 focus:z-30"
        >
          {t('skip')}
        </a>
        <div aria-hidden="true" className="frieze" />
        <Header groups={groups} language={language} />
        <OtherReader language={language} />
        <div className="mx-auto max-w-[90rem] lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] print:block">
          <div className="docs-side hidden lg:block">
            <NavTree groups={groups} label={t('title')} />
          </div>
          {children}
        </div>
      </div>
    </ClientMessages>
  );
}
