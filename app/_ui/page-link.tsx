'use client';

import NextLink, { useLinkStatus } from 'next/link';
import { type ComponentProps, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslations } from 'use-intl/react';

/** A wait that is over before it is read out needs no announcement. */
const SAID_AFTER_MS = 1_000;

function Wait() {
  const t = useTranslations('script');
  const [said, say] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => say(t('loading')), SAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, [t]);
  return (
    <>
      <span aria-hidden="true" className="page-progress" />
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}

/** A line at the top of the window, like a browser's own, while a page loads. */
export function PageProgress({ isPending }: { isPending: boolean }) {
  // The line is not inside the link: a row that fades at its ends would hide it.
  return isPending && createPortal(<Wait />, document.body);
}

function LinkProgress() {
  return <PageProgress isPending={useLinkStatus().pending} />;
}

/** A link to another screen. It prefetches nothing, because each screen asks the database. */
export function PageLink({ children, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink prefetch={false} {...props}>
      {children}
      <LinkProgress />
    </NextLink>
  );
}
