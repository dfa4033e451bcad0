import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { AcquirerProviderView } from '#server/trpc/rows.ts';
import { businessSession } from '../../../_server/api.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { hookPlace } from '../_parts/account-item.tsx';
import { ConnectForm, type CredentialInput } from '../_parts/connect-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translatorOf(await requestLocale(), 'acquirers')('connect') };
}

/** The values that an acquirer wants, each with where it stands in the acquirer's cabinet. */
function inputsOf({ name: provider, credentials }: AcquirerProviderView, locale: Locale) {
  const t = translatorOf(locale, 'acquirers.form');
  const words: Record<string, Record<string, { label: string; hint: string }>> = messagesAt(
    locale,
    'acquirers.fields',
  );
  return credentials.map(({ name, isRequired, isSecret, preset }): CredentialInput => {
    const { label, hint } = words[provider]?.[name] ?? { label: name, hint: '' };
    return {
      name,
      label: isRequired ? label : t('optional', { label }),
      hint,
      isRequired,
      isSecret,
      preset: preset ?? '',
    };
  });
}

function Choice({
  providers,
  path,
  locale,
}: {
  providers: readonly AcquirerProviderView[];
  path: string;
  locale: Locale;
}) {
  const t = translatorOf(locale, 'acquirers.form');
  const kinds: Record<string, string> = messagesAt(locale, 'acquirers.form.kinds');
  return (
    <>
      <p className="-mt-3 mb-5 text-muted">{t('choose')}</p>
      <ul className="grid grid-cols-1 gap-4 md:grid-cols-3">
        {providers.map(({ name, title, currencies }) => (
          <li key={name}>
            <PageLink
              href={`${path}?provider=${name}`}
              className="card block h-full p-5 [overflow-wrap:anywhere] hover:border-control"
            >
              <span className="flex flex-wrap items-baseline justify-between gap-x-2">
                <span className="font-semibold">{title}</span>
                <span className="text-muted text-sm">{currencies.join(', ')}</span>
              </span>
              <span className="mt-1 block text-[0.9375rem] text-muted">{kinds[name]}</span>
            </PageLink>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Connects an account: which acquirer, then what it wants to be told. */
export default async function ConnectPage({
  params,
  searchParams,
}: {
  params: Promise<{ environment: string }>;
  searchParams: Promise<{ provider?: string | string[] }>;
}) {
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const locale = await surfaceLocale('dashboard');
  const shell = translatorOf(locale, 'dashboard');
  const [{ providers }, { permissions }, asked] = await Promise.all([
    api.acquirers.list(),
    api.account.current(),
    searchParams,
  ]);
  const t = translatorOf(locale, 'acquirers');
  const list = `/dashboard/${environment}/payment-methods`;
  const path = `${list}/connect`;
  const chosen = providers.find(({ name }) => name === asked.provider);
  if (!permissions.includes('acquirer.manage')) {
    const isSuspended = session.merchant.status === 'suspended';
    return (
      <>
        <BackLink href={list} text={t('title')} />
        <PageTitle title={t('connect')} />
        <Notice title={isSuspended ? shell('suspended.rests') : t('readOnly')} />
      </>
    );
  }
  return (
    <>
      {chosen ? (
        <BackLink href={path} text={t('connect')} />
      ) : (
        <BackLink href={list} text={t('title')} />
      )}
      <PageTitle title={chosen ? t('form.title', { acquirer: chosen.title }) : t('connect')}>
        <a
          href={docsAddress('/docs/taking-payments', locale)}
          target="_blank"
          rel="noopener"
          className="button button-plain"
        >
          {t('guide')}
        </a>
      </PageTitle>
      {chosen ? (
        <ClientMessages
          locale={locale}
          namespaces={['acquirers.form', 'acquirers.connected', 'acquirers.account']}
        >
          <ConnectForm
            // Another acquirer's form is another one.
            key={chosen.name}
            environment={environment}
            provider={chosen.name}
            title={chosen.title}
            inputs={inputsOf(chosen, locale)}
            hookPlace={hookPlace(chosen.name, locale)}
            list={list}
          />
        </ClientMessages>
      ) : (
        <Choice providers={providers} path={path} locale={locale} />
      )}
    </>
  );
}
