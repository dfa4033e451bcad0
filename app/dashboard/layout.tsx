import type { ReactNode } from 'react';
import { ClientMessages } from '../_i18n/client-messages.tsx';
import { surfaceLocale } from '../_i18n/request-locale.ts';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages
      locale={await surfaceLocale('dashboard')}
      namespaces={['script', 'dashboard.toasts']}
    >
      {children}
    </ClientMessages>
  );
}
