'use client';

import NextLink, { useLinkStatus } from 'next/link';
import type { ComponentProps } from 'react';
import { createPortal } from 'react-dom';

/** A line at the top of the window, as a browser has one, while a page lets one wait. */
export function PageProgress({ isPending }: { isPending: boolean }) {
  // Not where it is asked for: a row that fades at its ends would hide it.
  return (
    isPending && createPortal(<span aria-hidden="true" className="page-progress" />, document.body)
  );
}

function LinkProgress() {
  return <PageProgress isPending={useLinkStatus().pending} />;
}

/** A link to another screen. Nothing is fetched before it is followed: each screen asks the database. */
export function PageLink({ children, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink prefetch={false} {...props}>
      {children}
      <LinkProgress />
    </NextLink>
  );
}
