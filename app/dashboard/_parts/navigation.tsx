'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

/** The screens of an environment. */
export function Navigation({
  label,
  items,
}: {
  label: string;
  items: { href: string; text: string; isExact?: boolean }[];
}) {
  const path = usePathname();
  return (
    <nav aria-label={label}>
      <ul className="flex gap-1 overflow-x-auto md:flex-col">
        {items.map(({ href, text, isExact = false }) => {
          const isHere = path === href || (!isExact && path.startsWith(`${href}/`));
          return (
            <li key={href} className="shrink-0">
              <Link
                href={href}
                prefetch={false}
                aria-current={isHere ? 'page' : undefined}
                className={`block rounded-lg px-3 py-2 text-[0.9375rem] ${
                  isHere ? 'bg-sunk font-semibold' : 'text-muted hover:bg-sunk hover:text-ink'
                }`}
              >
                {text}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
