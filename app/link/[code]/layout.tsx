import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { BrandStyle } from '../../pay/[invoiceId]/frame/brand-style.tsx';
import { loadLink } from './loader.ts';

export default async function LinkLayout({
  params,
  children,
}: {
  params: Promise<{ code: string }>;
  children: ReactNode;
}) {
  const { code } = await params;
  const loaded = await loadLink(code);
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <>
      {loaded.kind === 'link' && <BrandStyle color={loaded.merchant.brandColor} nonce={nonce} />}
      {children}
    </>
  );
}
