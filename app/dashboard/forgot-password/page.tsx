import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { LonePage } from '../_shell/lone-page.tsx';
import { ForgotForm } from './_parts/forgot-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.forgot');
  return { title: t('title') };
}

/** The page that requests an e-mail with a link to a new password. */
export default async function ForgotPasswordPage() {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.forgot');
  return (
    <LonePage locale={locale} title={t('title')} lead={t('lead')}>
      <ClientMessages locale={locale} namespaces={['dashboard.forgot']}>
        <ForgotForm />
      </ClientMessages>
    </LonePage>
  );
}
