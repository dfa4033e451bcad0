import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { Banner } from '#app/_ui/banner.tsx';
import { PageLink } from '#app/_ui/page-link.tsx';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { businessSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { Notice } from '../../_shared/notice.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { AccountItem } from './_parts/account-item.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translatorOf(await requestLocale(), 'acquirers')('title') };
}

/** The merchant's accounts at acquirers, in the order in which buyers are offered them. */
export default async function PaymentMethodsPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const locale = await surfaceLocale('dashboard');
  const shell = translatorOf(locale, 'dashboard');
  const [{ accounts }, { differences }, { permissions }, timeZone] = await Promise.all([
    api.acquirers.list(),
    api.acquirers.differences(),
    api.account.current(),
    viewerZone(session.merchant.timeZone),
  ]);
  const t = translatorOf(locale, 'acquirers');
  const mayManage = permissions.includes('acquirer.manage');
  const isSuspended = session.merchant.status === 'suspended';
  const connect = (className: string) =>
    mayManage && (
      <PageLink href={`/dashboard/${environment}/payment-methods/connect`} className={className}>
        {t('connect')}
      </PageLink>
    );
  return (
    <ClientMessages locale={locale} namespaces={['acquirers.actions']}>
      <PageTitle title={t('title')}>
        <a href={docsAddress('/docs/taking-payments', locale)} className="button button-plain">
          {t('guide')}
        </a>
        {accounts.length > 0 && connect('button button-primary')}
      </PageTitle>
      {accounts.length > 0 && (
        <p className="-mt-3 mb-5 max-w-prose text-muted">
          {t('lead')} {environment === 'sandbox' && t('sandboxCard')}
        </p>
      )}
      {differences.length > 0 && (
        <div className="mb-5">
          <Banner tone="caution" title={t('differences.found', { count: differences.length })}>
            <PageLink
              className="link"
              href={`/dashboard/${environment}/payment-methods/differences`}
            >
              {t('differences.show')}
            </PageLink>
          </Banner>
        </div>
      )}
      {!mayManage && (
        <p className="mb-5 text-muted">{isSuspended ? shell('suspended.rests') : t('readOnly')}</p>
      )}
      {accounts.length === 0 ? (
        <Notice title={t('empty.title')} text={t(`empty.${environment}`)}>
          {connect('button button-primary mt-3')}
        </Notice>
      ) : (
        <ol aria-label={t('account.list')} className="grid grid-cols-1 gap-4">
          {accounts.map((account) => (
            <AccountItem
              key={account.id}
              account={account}
              ids={accounts.map(({ id }) => id)}
              environment={environment}
              locale={locale}
              timeZone={timeZone}
              permissions={permissions}
              back={shell('back')}
            />
          ))}
        </ol>
      )}
    </ClientMessages>
  );
}
