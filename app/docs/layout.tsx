import './docs.css';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { settings } from '#server/settings/settings.ts';
import { API_PAGE, DOCS_GROUPS } from './_content/pages.ts';
import { type NavGroup, NavTree } from './_parts/nav-tree.tsx';
import { PhoneMenu } from './_parts/phone-menu.tsx';
import { Search } from './_parts/search.tsx';
import { EVERYWHERE, operations } from './api/operations.ts';

export const metadata: Metadata = {
  title: { default: 'Documentation', template: '%s · Documentation' },
};

/** All pages; for the reference, its operations too. */
function navGroups(): NavGroup[] {
  const titles = operations(settings().publicUrl).map(({ id, summary: title }) => ({ id, title }));
  const parts = [...titles, EVERYWHERE].map(({ id, title }) => ({
    href: `${API_PAGE.href}#${id}`,
    text: title.replace(' (sandbox only)', ''),
  }));
  return [
    { title: null, links: [{ href: '/docs', text: 'Overview' }] },
    ...DOCS_GROUPS.map(({ title, pages }) => ({
      title,
      links: pages.map((page) => ({ href: `/docs/${page.slug}`, text: page.title })),
    })),
    { title: 'Reference', links: [{ href: API_PAGE.href, text: API_PAGE.title, parts }] },
  ];
}

function Header({ groups }: { groups: NavGroup[] }) {
  return (
    <header className="docs-header @container">
      <div className="mx-auto flex h-14 max-w-[90rem] items-center gap-3 px-4 md:px-6">
        <Link href="/docs" prefetch={false} className="flex items-center gap-2.5 font-semibold">
          <img src="/icon.svg" alt="" width="26" height="26" />
          {/* The name leaves no room for the search and the menu in very large text. */}
          <span className="@max-[18rem]:sr-only">
            Payment gateway <span className="hidden font-normal text-muted sm:inline">Docs</span>
          </span>
        </Link>
        <div className="ml-auto flex items-center gap-2">
          <Search />
          <a
            href="/dashboard"
            className="hidden rounded-lg px-3 py-2 text-[0.9375rem] text-muted hover:bg-sunk hover:text-ink sm:block"
          >
            Dashboard
          </a>
          <PhoneMenu>
            <NavTree groups={groups} label="Pages" />
            <a
              href="/dashboard"
              className="mt-4 block border-line border-t px-3 pt-4 text-muted hover:text-ink sm:hidden"
            >
              Dashboard
            </a>
          </PhoneMenu>
        </div>
      </div>
    </header>
  );
}

/** The documentation's frame: English, whatever the language of the reader's other pages. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  const groups = navGroups();
  return (
    <div lang="en" className="docs min-h-dvh bg-surface">
      <a
        href="#main"
        className="button button-primary sr-only focus:not-sr-only focus:absolute focus:px-4.5 focus:py-2 focus:top-2 focus:left-2 focus:z-30"
      >
        Skip to the text
      </a>
      <Header groups={groups} />
      <div className="mx-auto max-w-[90rem] lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] print:block">
        <div className="docs-side hidden lg:block">
          <NavTree groups={groups} label="Documentation" />
        </div>
        {children}
      </div>
    </div>
  );
}
