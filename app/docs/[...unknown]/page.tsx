import type { Metadata } from 'next';
import { notFound } from 'next/navigation';

export const metadata: Metadata = { title: 'There is no such page' };

/** Below the pages there is nothing: said in the frame of the docs, which Next's own 404 leaves. */
export default function UnknownPage() {
  notFound();
}
