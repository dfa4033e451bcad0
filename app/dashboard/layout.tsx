import type { ReactNode } from 'react';
import { ClientMessages } from '../_i18n/client-messages.tsx';
import { requestLocale } from '../_i18n/request-locale.ts';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages locale={await requestLocale()} namespaces={['script']}>
      {children}
    </ClientMessages>
  );
}
