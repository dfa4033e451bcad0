'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

type NavLink = {
  href: string;
  text: string;
  /** What to know before opening it, such as another language. */
  note?: string | undefined;
  parts?: { href: string; text: string }[];
};

export type NavGroup = { title: string | null; links: NavLink[] };

/** The sections of a long page, listed while it is open. */
function Parts({ parts }: { parts: NonNullable<NavLink['parts']> }) {
  return (
    <ul className="mt-0.5 ml-3 grid gap-0.5 border-line border-l pl-2">
      {parts.map(({ href, text }) => (
        <li key={href}>
          <a href={href} className="docs-nav-link">
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The pages by group, with the open one marked. */
export function NavTree({ groups, label }: { groups: NavGroup[]; label: string }) {
  const here = usePathname();
  return (
    <nav aria-label={label} className="grid gap-4">
      {groups.map(({ title, links }) => (
        <div key={title}>
          {title && <p className="px-3 pb-1.5 font-semibold text-sm">{title}</p>}
          <ul className="grid gap-0.5">
            {links.map(({ href, text, note, parts }) => (
              <li key={href}>
                <Link
                  href={href}
                  prefetch={false}
                  aria-current={href === here ? 'page' : undefined}
                  className="docs-nav-link"
                >
                  {text}
                  {note && <small className="docs-note">{note}</small>}
                </Link>
                {parts && href === here && <Parts parts={parts} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
