import type { Metadata } from 'next';
import { dashboardMessages } from '../_i18n/messages.ts';
import { peopleMessages } from '../_i18n/people-messages.ts';
import { LonePage } from '../_shell/lone-page.tsx';
import { ForgotForm } from './_parts/forgot-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await peopleMessages()).forgot.title };
}

/** Where somebody asks for an e-mail that leads to a new password. */
export default async function ForgotPasswordPage() {
  const [{ locale }, { forgot }] = await Promise.all([dashboardMessages(), peopleMessages()]);
  return (
    <LonePage locale={locale} title={forgot.title} lead={forgot.lead}>
      <ForgotForm t={forgot} />
    </LonePage>
  );
}
