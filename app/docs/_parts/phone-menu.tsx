'use client';

import { usePathname } from 'next/navigation';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';

/** The list of pages on a small screen; opens without script, and closes after a choice. */
export function PhoneMenu({ children }: { children: ReactNode }) {
  const path = usePathname();
  const t = useTranslations('docs.frame');
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (path && menu.current) menu.current.open = false;
  }, [path]);
  // A link to a section of the same page does not change the path.
  const onClick = ({ target }: MouseEvent) => {
    if (menu.current && (target as Element).closest('a')) menu.current.open = false;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  };
  return (
    <details ref={menu} className="docs-menu lg:hidden" onClick={onClick} onKeyDown={onKey}>
      <summary>{t('menu')}</summary>
      <div className="docs-menu-panel">{children}</div>
    </details>
  );
}
