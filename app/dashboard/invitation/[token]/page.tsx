import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { openInvitation } from '#server/auth/signed-out.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { isolated } from '../../../_i18n/isolated.ts';
import { currentVisit } from '../../_server/visit.ts';
import { NewPasswordForm } from '../../_shared/account/new-password-form.tsx';
import { LonePage } from '../../_shell/lone-page.tsx';
import { JoinForm } from '../_parts/join-form.tsx';
import { join } from './actions.ts';

type Props = { params: Promise<{ token: string }> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.invitation');
  return { title: t('title') };
}

/** An invitation's page: a password for a new account, a button for an existing one. */
export default async function InvitationPage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { token } = await params;
  const found = await openInvitation(token, await currentVisit());
  if (!found) {
    return (
      <LonePage locale={locale} title={t('invitation.goneTitle')} lead={t('invitation.gone')}>
        <a href="/dashboard" className="button button-primary mt-6">
          {t('invitation.signIn')}
        </a>
      </LonePage>
    );
  }
  const lead = (
    <>
      {t('invitation.lead')}{' '}
      <span className="font-medium text-ink">{isolated(found.merchantName)}</span>.{' '}
      {t('invitation.role')}: {t(`roles.${found.role}`)}.
    </>
  );
  return (
    <LonePage locale={locale} title={t('invitation.title')} lead={lead}>
      <p className="mt-1 text-muted text-sm">
        {t(`team.roleTexts.${found.role}`)}
        {found.invitedBy && (
          <span className="block [overflow-wrap:anywhere]">
            {t('invitation.invitedBy')} {isolated(found.invitedBy)}
          </span>
        )}
      </p>
      <ClientMessages
        locale={locale}
        namespaces={['dashboard.invitation', 'dashboard.newPassword', 'dashboard.typed']}
      >
        {found.hasAccount ? (
          <JoinForm action={join} token={token} email={found.email} />
        ) : (
          <NewPasswordForm
            action={join}
            token={token}
            email={found.email}
            gone={`${t('invitation.goneTitle')}. ${t('invitation.gone')}`}
            submit={t('invitation.join')}
          />
        )}
      </ClientMessages>
    </LonePage>
  );
}
