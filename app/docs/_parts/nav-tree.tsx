'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

export type NavGroup = { title: string | null; links: { href: string; text: string }[] };

/** The pages by group, with the one that is open marked. */
export function NavTree({ groups, label }: { groups: NavGroup[]; label: string }) {
  const here = usePathname();
  return (
    <nav aria-label={label} className="grid gap-6">
      {groups.map(({ title, links }) => (
        <div key={title}>
          {title && <p className="px-3 pb-1.5 font-semibold text-sm">{title}</p>}
          <ul className="grid gap-0.5">
            {links.map(({ href, text }) => (
              <li key={href}>
                <Link
                  href={href}
                  prefetch={false}
                  aria-current={href === here ? 'page' : undefined}
                  className="docs-nav-link"
                >
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
