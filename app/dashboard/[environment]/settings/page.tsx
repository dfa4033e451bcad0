import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { businessSession } from '../../_server/api.ts';
import { zonesWith } from '../../_server/zone.ts';
import { PageTitle } from '../../_shared/page-title.tsx';
import { SettingsFacts } from './_parts/settings-facts.tsx';
import { SettingsForm } from './_parts/settings-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.settings');
  return { title: t('title') };
}

export default async function SettingsPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const [settings, { permissions }] = await Promise.all([
    api.settings.read(),
    api.account.current(),
  ]);
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.settings']}>
      <PageTitle title={t('settings.title')} />
      <p className="-mt-3 mb-5 text-muted">{t('settings.both')}</p>
      {permissions.includes('settings.manage') ? (
        <SettingsForm
          environment={environment}
          settings={settings}
          zones={zonesWith(settings.timeZone)}
          locale={locale}
        />
      ) : (
        <SettingsFacts
          why={session.merchant.status === 'active' ? t('settings.readOnly') : t('suspended.rests')}
          settings={settings}
          locale={locale}
        />
      )}
    </ClientMessages>
  );
}
