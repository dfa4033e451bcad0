import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { readSamples } from '#app/_samples/samples.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import { businessSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { CopyButton } from '../../_shared/copy-button.tsx';
import { Instant } from '../../_shared/instant.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { Facts, Panel } from '../../_shared/panel.tsx';
import { CodeTabs } from './_parts/code-tabs.tsx';
import { EventAddress } from './_parts/event-address.tsx';
import { SecretRotation } from './_parts/secret-rotation.tsx';
import { TokenForm } from './_parts/token-form.tsx';
import { type DeveloperView, TokenList } from './_parts/token-list.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.developers');
  return { title: t('title') };
}

type Secret = { id: string; createdAtMs: number; expiresAtMs: number | null };

function Secrets({
  secrets,
  mayRotate,
  rests,
  ...view
}: DeveloperView & { secrets: Secret[]; mayRotate: boolean; rests: string | null }) {
  const { locale, timeZone, environment } = view;
  const t = translatorOf(locale, 'dashboard');
  const instant = (atMs: number) => <Instant atMs={atMs} locale={locale} timeZone={timeZone} />;
  const leaving = secrets.find(({ expiresAtMs }) => expiresAtMs !== null);
  return (
    <Panel id="secret" title={t('developers.secret')}>
      <p className="mb-3 max-w-prose text-muted">{t('developers.secretText')}</p>
      <ul className="mb-4 text-[0.9375rem]">
        {secrets.map(({ id, createdAtMs, expiresAtMs }) => (
          <li key={id}>
            <code className="font-mono text-muted text-sm">whsec_…</code>{' '}
            {t('developers.signsSince')} {instant(createdAtMs)}
            {expiresAtMs !== null && (
              <span className="text-caution">
                , {t('developers.signsUntil')} {instant(expiresAtMs)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayRotate ? (
        <SecretRotation
          environment={environment}
          back={t('back')}
          leaving={leaving ? { id: leaving.id, signsSince: instant(leaving.createdAtMs) } : null}
        />
      ) : (
        rests && <p className="text-muted">{rests}</p>
      )}
    </Panel>
  );
}

type ConnectionProps = { locale: Locale; connection: { baseUrl: string; merchantId: string } };

type SamplesProps = ConnectionProps & { environment: Environment };

/** The programs' environment values, to be pasted; nobody knows a token's text. */
function TerminalValues({ locale, connection, environment }: SamplesProps) {
  const t = translatorOf(locale, 'dashboard.developers');
  const text = [
    `export BASE_URL=${connection.baseUrl}`,
    `export MERCHANT_ID=${connection.merchantId}`,
    `export API_TOKEN=gw_${environment}_…`,
  ].join('\n');
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-2 rounded-xl border border-line bg-sunk p-2 pl-4">
      <pre className="min-w-0 flex-1 basis-60 whitespace-pre-wrap py-2 font-mono text-[0.8125rem] leading-relaxed [overflow-wrap:anywhere]">
        {text}
      </pre>
      <CopyButton text={text} label={t('copy')} done={t('copied')} />
    </div>
  );
}

async function Samples({ locale, connection, environment }: SamplesProps) {
  const t = translatorOf(locale, 'dashboard.developers');
  const [create, receive] = await Promise.all([
    readSamples('create-invoice', connection),
    readSamples('receive-callback', connection),
  ]);
  const words = { copy: t('copy'), copied: t('copied') };
  return (
    <>
      <Panel id="quick-start" title={t('create')}>
        <p className="mb-3 text-muted">{t('tokenHint')}</p>
        <TerminalValues {...{ locale, connection, environment }} />
        <CodeTabs samples={create} label={`${t('create')}: ${t('language')}`} {...words} />
      </Panel>
      <Panel id="verify" title={t('verify')}>
        <p className="mb-3 text-muted">{t('verifyText')}</p>
        <CodeTabs samples={receive} label={`${t('verify')}: ${t('language')}`} {...words} />
      </Panel>
    </>
  );
}

function Connection({ locale, connection }: ConnectionProps) {
  const t = translatorOf(locale, 'dashboard.developers');
  const fact = (name: string, text: string) => ({
    name,
    value: (
      <span className="flex flex-wrap items-center justify-between gap-2">
        <code className="min-w-0 break-all font-mono text-sm">{text}</code>
        <CopyButton text={text} label={t('copy')} done={t('copied')} of={name} />
      </span>
    ),
  });
  return (
    <Panel id="connection" title={t('connection')}>
      <Facts
        facts={[
          fact(t('baseUrl'), connection.baseUrl),
          fact(t('merchantId'), connection.merchantId),
        ]}
      />
    </Panel>
  );
}

export default async function DevelopersPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  // The permissions come first: a query without permission would be logged as an attempt.
  const { permissions } = await api.account.current();
  const maySee = permissions.includes('token.read');
  const [connection, tokens, secrets, address, timeZone] = await Promise.all([
    api.developers.connection(),
    maySee ? api.developers.tokens() : null,
    maySee ? api.developers.secrets() : null,
    maySee ? api.events.address() : null,
    viewerZone(session.merchant.timeZone),
  ]);
  const view = { locale, timeZone, environment };
  const mayMake = permissions.includes('token.manage');
  // Finance sees tokens and makes none, suspended or not.
  const rests = session.merchant.status === 'suspended' ? t('suspended.rests') : null;
  return (
    <>
      <PageTitle title={t('developers.title')}>
        <a href={docsAddress('/docs', locale)} className="button button-plain">
          {t('developers.docs')}
        </a>
        {permissions.includes('request.read') && (
          <PageLink
            href={`/dashboard/${environment}/developers/requests`}
            className="button button-plain"
          >
            {t('developers.requests')}
          </PageLink>
        )}
      </PageTitle>
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <Connection locale={locale} connection={connection} />
        {tokens && secrets && (
          <ClientMessages
            locale={locale}
            namespaces={['dashboard.developers', 'dashboard.eventTypes']}
          >
            <Panel id="tokens" title={t('developers.tokens')}>
              {mayMake ? (
                <TokenForm
                  environment={environment}
                  mayRefund={permissions.includes('refunds.write')}
                />
              ) : (
                rests && <p className="text-muted">{rests}</p>
              )}
              <TokenList
                tokens={tokens.tokens}
                mayMake={mayMake}
                mayEnd={permissions.includes('token.deactivate')}
                {...view}
              />
              {tokens.endedEarlier > 0 && (
                <p className="mt-2 text-muted text-sm">
                  {t('developers.endedEarlier')}: {tokens.endedEarlier}
                </p>
              )}
            </Panel>
            <Secrets
              secrets={secrets}
              mayRotate={permissions.includes('secret.manage')}
              rests={rests}
              {...view}
            />
            <EventAddress {...{ address, permissions, rests }} {...view} />
          </ClientMessages>
        )}
        <Samples locale={locale} connection={connection} environment={environment} />
      </div>
    </>
  );
}
