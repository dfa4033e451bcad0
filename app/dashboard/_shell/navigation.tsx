'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { PageLink } from '#app/_ui/page-link.tsx';
import { ScreenIcon } from '#app/_ui/screen-icon.tsx';

/** The screens of an environment. */
export function Navigation({
  label,
  items,
}: {
  label: string;
  items: { href: string; text: string; isExact?: boolean }[];
}) {
  const path = usePathname();
  const around = items.filter(
    ({ href, isExact = false }) => path === href || (!isExact && path.startsWith(`${href}/`)),
  );
  // A screen that has a place of its own is not its parent's as well.
  const here = around.map(({ href }) => href).sort((a, b) => b.length - a.length)[0];
  const list = useRef<HTMLUListElement>(null);
  // A phone's row is wider than the screen: the present screen's link must be visible.
  useEffect(() => {
    const item = path && list.current?.querySelector('[aria-current]')?.parentElement;
    if (!item || !list.current) return;
    list.current.scrollLeft = item.offsetLeft - (list.current.clientWidth - item.offsetWidth) / 2;
  }, [path]);
  return (
    <nav aria-label={label}>
      <ul
        ref={list}
        className="relative max-lg:edge-fade -mx-3 flex gap-1 overflow-x-auto px-3 lg:mx-0 lg:overflow-visible lg:flex-col lg:px-0"
      >
        {items.map(({ href, text }) => {
          const isHere = href === here;
          return (
            <li key={href} className="shrink-0">
              <PageLink
                href={href}
                aria-current={isHere ? 'page' : undefined}
                className={`flex items-center gap-2.5 rounded-lg px-3 py-2 pointer-coarse:py-2.5 text-[0.9375rem] ${
                  isHere ? 'bg-sunk font-semibold' : 'text-muted hover:bg-sunk hover:text-ink'
                }`}
              >
                {/* A phone's row has no room for it. */}
                <ScreenIcon
                  name={href.slice(href.lastIndexOf('/') + 1)}
                  className="size-4.5 shrink-0 max-lg:hidden"
                />
                {text}
              </PageLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
