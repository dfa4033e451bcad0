import type { Metadata } from 'next';
import { openInvitation } from '#server/auth/signed-out.ts';
import { isolated } from '../../../_i18n/isolated.ts';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { peopleMessages } from '../../_i18n/people-messages.ts';
import { currentVisit } from '../../_server/visit.ts';
import { NewPasswordForm } from '../../_shared/account/new-password-form.tsx';
import { LonePage } from '../../_shell/lone-page.tsx';
import { JoinForm } from '../_parts/join-form.tsx';
import { join } from './actions.ts';

type Props = { params: Promise<{ token: string }> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await peopleMessages()).invitation.title };
}

/** Where an invitation's link leads: a password for a new account, a press of a button for another. */
export default async function InvitationPage({ params }: Props) {
  const [{ t, locale }, people, { token }] = await Promise.all([
    dashboardMessages(),
    peopleMessages(),
    params,
  ]);
  const words = people.invitation;
  const found = await openInvitation(token, await currentVisit());
  if (!found) {
    return (
      <LonePage locale={locale} title={words.goneTitle} lead={words.gone}>
        <a href="/dashboard" className="button button-primary mt-6">
          {words.signIn}
        </a>
      </LonePage>
    );
  }
  const lead = (
    <>
      {words.lead} <span className="font-medium text-ink">{isolated(found.merchantName)}</span>.{' '}
      {words.role}: {t.roles[found.role]}.
    </>
  );
  return (
    <LonePage locale={locale} title={words.title} lead={lead}>
      <p className="mt-1 text-muted text-sm">
        {people.team.roleTexts[found.role]}
        {found.invitedBy && (
          <span className="block [overflow-wrap:anywhere]">
            {words.invitedBy} {isolated(found.invitedBy)}
          </span>
        )}
      </p>
      {found.hasAccount ? (
        <JoinForm action={join} token={token} email={found.email} t={words} />
      ) : (
        <NewPasswordForm
          action={join}
          token={token}
          email={found.email}
          t={{ ...people.newPassword, goneTitle: words.goneTitle, gone: words.gone }}
          submit={words.join}
        />
      )}
    </LonePage>
  );
}
