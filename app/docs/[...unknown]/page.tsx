import type { Metadata } from 'next';
import { notFound } from 'next/navigation';

export const metadata: Metadata = { title: 'There is no such page' };

/** The page for an unknown address, in the frame of the docs, which Next's own 404 would leave. */
export default function UnknownPage() {
  notFound();
}
