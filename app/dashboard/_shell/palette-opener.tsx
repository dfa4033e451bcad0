'use client';

import { useRouter } from 'next/navigation';
import { type ComponentType, useState, useTransition } from 'react';
import { useTranslations } from 'use-intl/react';
import { SearchIcon } from '#app/_ui/icons.tsx';
import { PageProgress } from '#app/_ui/page-link.tsx';
import { useOpenKeys } from '#app/_ui/use-open-keys.ts';
import { showToast } from '../_shared/show-toast.ts';
import type { PaletteProps } from './command-palette.tsx';

/** Opens the palette by a press or by Ctrl-K (Cmd-K on a Mac). */
export function PaletteOpener(props: Omit<PaletteProps, 'onClose' | 'go'>) {
  const script = useTranslations('script');
  const t = useTranslations('dashboard.palette');
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null);
  const [isOpen, setOpen] = useState(false);
  // A transition would delay a user who goes elsewhere meanwhile.
  const [isComing, setComing] = useState(false);
  const router = useRouter();
  const [isGoing, startGoing] = useTransition();
  const go = (href: string) => startGoing(() => router.push(href));
  const open = async () => {
    setComing(true);
    try {
      // The palette's script loads on first use, because most pages never need it. `lazy` would
      // remove the whole page, with typed text, after a failed load.
      const { CommandPalette } = await import('./command-palette.tsx');
      setPalette(() => CommandPalette);
      setOpen(true);
    } catch {
      // An update has removed the script, or there is no connection.
      showToast(script('notLoaded'), 'negative', 'reload');
    }
    setComing(false);
  };
  const keys = useOpenKeys(() => void open());

  return (
    <>
      <button
        type="button"
        aria-label={t('open')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="needs-script flex min-h-10 min-w-10 items-center justify-center gap-2 rounded-control border border-line bg-surface text-muted text-sm hover:border-control hover:text-ink lg:justify-start lg:px-3"
        onClick={() => void open()}
      >
        <SearchIcon className="size-4 shrink-0" />
        <span className="hidden min-w-0 flex-1 truncate text-left lg:block">{t('open')}</span>
        <span className="hidden shrink-0 whitespace-nowrap font-sans text-xs lg:block">{keys}</span>
      </button>
      {Palette && isOpen && <Palette {...props} go={go} onClose={() => setOpen(false)} />}
      <PageProgress isPending={isGoing || isComing} />
    </>
  );
}
