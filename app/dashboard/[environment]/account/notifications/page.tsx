import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { isolated } from '#app/_i18n/isolated.ts';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { dashboardSession } from '../../../_server/api.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { Panel } from '../../../_shared/panel.tsx';
import { NoticesForm } from './_parts/notices-form.tsx';
import { TelegramPanel } from './_parts/telegram-panel.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.notifications');
  return { title: t('title') };
}

/** What a person hears of the merchant, and on which channels. */
export default async function NotificationsPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.notifications');
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const { merchantName, choices, telegram, hasBot } = await api.notices.read();
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.notifications']}>
      <BackLink href={`/dashboard/${environment}/account`} text={t('back')} />
      <PageTitle title={t('title')} />
      {choices.length === 0 ? (
        <p className="text-muted">{t('notOnTeam')}</p>
      ) : (
        <div className="grid grid-cols-1 gap-5">
          <p className="-mt-3 max-w-prose text-muted">
            {t('text', { shop: isolated(merchantName) })}
          </p>
          <NoticesForm
            environment={environment}
            locale={locale}
            choices={choices}
            mayUseTelegram={telegram.isConnected}
          />
          <Panel id="telegram" title={t('telegram')}>
            {hasBot ? (
              <TelegramPanel environment={environment} telegram={telegram} />
            ) : (
              <p className="text-muted">{t('noBot')}</p>
            )}
          </Panel>
        </div>
      )}
    </ClientMessages>
  );
}
