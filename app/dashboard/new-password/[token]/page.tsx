import type { Metadata } from 'next';
import { cache } from 'react';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { passwordLinkOwner } from '#server/auth/signed-out.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { currentVisit } from '../../_server/visit.ts';
import { NewPasswordForm } from '../../_shared/account/new-password-form.tsx';
import { LonePage } from '../../_shell/lone-page.tsx';
import { setByLink } from './actions.ts';

/** The title and the page share one look-up. */
const linkOwner = cache(async (token: string) => passwordLinkOwner(token, await currentVisit()));

type Props = { params: Promise<{ token: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.newPassword');
  const { token } = await params;
  const found = await linkOwner(token);
  return { title: found?.isFirst ? t('firstTitle') : t('title') };
}

/** The page of a link for a password: an e-mail's, or one that an operator has handed over. */
export default async function NewPasswordPage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.newPassword');
  const { token } = await params;
  const found = await linkOwner(token);
  if (found === null) {
    return (
      <LonePage locale={locale} title={t('goneTitle')} lead={t('gone')}>
        <div className="mt-6 flex flex-wrap gap-2">
          <a href="/dashboard" className="button button-primary">
            {t('signIn')}
          </a>
          <a href="/dashboard/forgot-password" className="button button-plain">
            {t('again')}
          </a>
        </div>
      </LonePage>
    );
  }
  return (
    <LonePage
      locale={locale}
      title={found.isFirst ? t('firstTitle') : t('title')}
      lead={found.isFirst ? t('firstLead') : t('lead')}
    >
      <ClientMessages locale={locale} namespaces={['dashboard.newPassword', 'dashboard.typed']}>
        <NewPasswordForm
          action={setByLink}
          token={token}
          email={found.email}
          gone={`${t('goneTitle')}. ${t('gone')}`}
          submit={t('submit')}
        />
      </ClientMessages>
    </LonePage>
  );
}
