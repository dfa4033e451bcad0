'use client';

import NextLink, { useLinkStatus } from 'next/link';
import type { ComponentProps } from 'react';
import { createPortal } from 'react-dom';

/** A line at the top of the window, as a browser has one, while the link's page lets one wait. */
function Progress() {
  const { pending } = useLinkStatus();
  // Not within the link: a row that fades at its ends would hide it.
  return (
    pending && createPortal(<span aria-hidden="true" className="page-progress" />, document.body)
  );
}

/** A link to another screen. Nothing is fetched before it is followed: each screen asks the database. */
export function PageLink({ children, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink prefetch={false} {...props}>
      {children}
      <Progress />
    </NextLink>
  );
}
