import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { BrandStyle } from './frame/brand-style.tsx';
import { loadInvoice } from './loader.ts';

export default async function InvoiceLayout({
  params,
  children,
}: {
  params: Promise<{ invoiceId: string }>;
  children: ReactNode;
}) {
  const { invoiceId } = await params;
  const loaded = await loadInvoice(invoiceId);
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <>
      {loaded.kind === 'invoice' && <BrandStyle color={loaded.merchant.brandColor} nonce={nonce} />}
      {children}
    </>
  );
}
