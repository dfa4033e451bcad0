'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { SearchIcon } from '#app/_ui/icons.tsx';
import { pressedKey } from '#app/_ui/pressed-key.ts';
import type { PaletteProps } from './command-palette.tsx';

// Most pages are left without it: its script comes when it is first asked for.
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

/** Opens the palette, by a press or by Ctrl-K (on a Mac Cmd-K). */
export function PaletteOpener(props: Omit<PaletteProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  const [keys, setKeys] = useState('Ctrl K');

  useEffect(() => {
    if (/^Mac|^iP/.test(navigator.platform)) setKeys('⌘ K');
    const onKey = (event: KeyboardEvent) => {
      if (pressedKey(event) !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <>
      <button
        type="button"
        aria-label={props.t.open}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="needs-script flex min-h-10 min-w-10 items-center justify-center gap-2 rounded-control border border-line bg-surface text-muted text-sm hover:border-control hover:text-ink lg:justify-start lg:px-3"
        onClick={() => setOpen(true)}
      >
        <SearchIcon className="size-4 shrink-0" />
        <span className="hidden min-w-0 flex-1 truncate text-left lg:block">{props.t.open}</span>
        <span className="hidden shrink-0 whitespace-nowrap font-sans text-xs lg:block">{keys}</span>
      </button>
      {isOpen && (
        <Suspense>
          <CommandPalette {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
