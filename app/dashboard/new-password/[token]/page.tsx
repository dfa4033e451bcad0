import type { Metadata } from 'next';
import { cache } from 'react';
import { passwordLinkOwner } from '#server/auth/signed-out.ts';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { peopleMessages } from '../../_i18n/people-messages.ts';
import { currentVisit } from '../../_server/visit.ts';
import { NewPasswordForm } from '../../_shared/account/new-password-form.tsx';
import { LonePage } from '../../_shell/lone-page.tsx';
import { setByLink } from './actions.ts';

/** Looked up once for the title and the page. */
const linkOwner = cache(async (token: string) => passwordLinkOwner(token, await currentVisit()));

type Props = { params: Promise<{ token: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [{ newPassword }, { token }] = await Promise.all([peopleMessages(), params]);
  const found = await linkOwner(token);
  return { title: found?.isFirst ? newPassword.firstTitle : newPassword.title };
}

/** Where a link for a password leads: an e-mail's, or one that an operator has handed over. */
export default async function NewPasswordPage({ params }: Props) {
  const [{ locale }, { newPassword }, { token }] = await Promise.all([
    dashboardMessages(),
    peopleMessages(),
    params,
  ]);
  const found = await linkOwner(token);
  if (found === null) {
    return (
      <LonePage locale={locale} title={newPassword.goneTitle} lead={newPassword.gone}>
        <div className="mt-6 flex flex-wrap gap-2">
          <a href="/dashboard" className="button button-primary">
            {newPassword.signIn}
          </a>
          <a href="/dashboard/forgot-password" className="button button-plain">
            {newPassword.again}
          </a>
        </div>
      </LonePage>
    );
  }
  return (
    <LonePage
      locale={locale}
      title={found.isFirst ? newPassword.firstTitle : newPassword.title}
      lead={found.isFirst ? newPassword.firstLead : newPassword.lead}
    >
      <NewPasswordForm
        action={setByLink}
        token={token}
        email={found.email}
        t={newPassword}
        submit={newPassword.submit}
      />
    </LonePage>
  );
}
