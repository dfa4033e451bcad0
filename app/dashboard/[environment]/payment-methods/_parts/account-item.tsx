import { Badge } from '#app/_ui/badge.tsx';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { AcquirerAccountView, Permission } from '#server/trpc/rows.ts';
import { heardFrom } from '../../../_shared/acquirer-heard.tsx';
import { CopyButton } from '../../../_shared/copy-button.tsx';
import { ActionButton } from '../../../_shared/forms/action-button.tsx';
import { Facts } from '../../../_shared/panel.tsx';
import { OrderButtons, TestButton } from './account-buttons.tsx';

type Props = {
  account: AcquirerAccountView;
  /** The ids of all accounts, in their order. */
  ids: readonly string[];
  environment: Environment;
  locale: Locale;
  timeZone: string;
  permissions: readonly Permission[];
  back: string;
};

/** Where the hook's address goes at an acquirer; nothing for one that has no words. */
export function hookPlace(provider: string, locale: Locale): string | undefined {
  const places: Record<string, string> = messagesAt(locale, 'acquirers.hookPlaces');
  return places[provider];
}

function HookAddress({ account, locale }: Pick<Props, 'account' | 'locale'>) {
  const t = translatorOf(locale, 'acquirers.account');
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 break-all font-mono text-sm">{account.hookUrl}</code>
        <CopyButton
          text={account.hookUrl}
          label={t('copy')}
          done={t('copied')}
          of={`${t('hook')}, ${account.name}`}
        />
      </span>
      <span className="mt-1 block text-muted text-sm">{hookPlace(account.provider, locale)}</span>
    </>
  );
}

function Switches({ account, environment, locale, permissions, back }: Props) {
  const t = translatorOf(locale, 'acquirers.actions');
  const { id: accountId, name, isEnabled } = account;
  const action = (change: 'enable' | 'disable' | 'disconnect') =>
    ({ does: 'changeAcquirer', accountId, change }) as const;
  const mayManage = permissions.includes('acquirer.manage');
  const maySwitchOff = permissions.includes('acquirer.switch_off');
  return (
    <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
      {mayManage && <TestButton environment={environment} accountId={accountId} name={name} />}
      {isEnabled && maySwitchOff && (
        <ActionButton
          environment={environment}
          action={action('disable')}
          label={t('turnOff')}
          accessibleLabel={`${t('turnOff')}: ${name}`}
          done={t('turnedOff', { name })}
        />
      )}
      {!isEnabled && mayManage && (
        <ActionButton
          environment={environment}
          action={action('enable')}
          label={t('turnOn')}
          accessibleLabel={`${t('turnOn')}: ${name}`}
          done={t('turnedOn', { name })}
        />
      )}
      {maySwitchOff && (
        <ActionButton
          environment={environment}
          action={action('disconnect')}
          label={t('disconnect')}
          accessibleLabel={`${t('disconnect')}: ${name}`}
          done={t('disconnected', { name })}
          confirmation={{
            title: t('disconnectTitle', { name }),
            text: t('disconnectText', { name }),
            confirm: t('disconnect'),
            back,
            isDestructive: true,
          }}
        />
      )}
    </div>
  );
}

/** Whether buyers are offered the account: one that is down comes last, a faulty one is a warning. */
export function Standing({ account, locale }: Pick<Props, 'account' | 'locale'>) {
  const t = translatorOf(locale, 'acquirers.account');
  if (!account.isEnabled) return <Badge tone="plain">{t('off')}</Badge>;
  if (account.downSinceMs !== null) return <Badge tone="caution">{t('offeredLast')}</Badge>;
  const isFaulty = account.checkFault !== null || account.callFault !== null;
  return isFaulty ? (
    <Badge tone="negative">{t('offeredFaulty')}</Badge>
  ) : (
    <Badge tone="positive">{t('offered')}</Badge>
  );
}

/** An account at an acquirer: how it stands, and what can be done with it. */
export function AccountItem(props: Props) {
  const { account, ids, environment, locale, permissions } = props;
  return (
    <li className="card p-5">
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            <bdi>{account.name}</bdi>
          </h2>
          <Standing account={account} locale={locale} />
          {account.name !== account.title && (
            <span className="text-muted text-sm">{account.title}</span>
          )}
        </div>
        {permissions.includes('acquirer.manage') && ids.length > 1 && (
          <OrderButtons environment={environment} ids={ids} id={account.id} name={account.name} />
        )}
      </div>
      <div className="grid grid-cols-1 gap-3">
        <Facts facts={heardFrom(props)} isWide />
        <Facts
          facts={[
            {
              name: translatorOf(locale, 'acquirers.account')('hook'),
              value: <HookAddress account={account} locale={locale} />,
            },
          ]}
        />
      </div>
      <Switches {...props} />
    </li>
  );
}
