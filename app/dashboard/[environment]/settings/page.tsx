import type { Metadata } from 'next';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { dashboardSession } from '../../_server/api.ts';
import { zonesWith } from '../../_server/zone.ts';
import { PageTitle } from '../../_shared/page-title.tsx';
import { SettingsFacts } from './_parts/settings-facts.tsx';
import { SettingsForm } from './_parts/settings-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.settings.title };
}

export default async function SettingsPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, settings, { permissions }] = await Promise.all([
    dashboardMessages(),
    api.settings.read(),
    api.account.current(),
  ]);
  const words = t.settings;
  return (
    <>
      <PageTitle title={words.title} />
      <p className="-mt-3 mb-5 text-muted">{words.both}</p>
      {permissions.includes('settings.manage') ? (
        <SettingsForm
          environment={environment}
          t={words}
          settings={settings}
          zones={zonesWith(settings.timeZone)}
          locale={locale}
        />
      ) : (
        <SettingsFacts
          t={words}
          why={session.merchant.status === 'active' ? words.readOnly : t.suspended.rests}
          settings={settings}
          locale={locale}
        />
      )}
    </>
  );
}
