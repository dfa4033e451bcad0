import type { Metadata } from 'next';
import { readSamples } from '#app/_samples/samples.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import type { Environment } from '#server/merchants/types.ts';
import type { DashboardMessages } from '../../_i18n/en.ts';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { CopyButton } from '../../_shared/copy-button.tsx';
import { Instant } from '../../_shared/instant.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { Facts, Panel } from '../../_shared/panel.tsx';
import { CodeTabs } from './_parts/code-tabs.tsx';
import { SecretRotation } from './_parts/secret-rotation.tsx';
import { TokenForm } from './_parts/token-form.tsx';
import { type DeveloperView, TokenList } from './_parts/token-list.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.developers.title };
}

type Secret = { id: string; createdAtMs: number; expiresAtMs: number | null };

function Secrets({
  secrets,
  mayRotate,
  ...view
}: DeveloperView & { secrets: Secret[]; mayRotate: boolean }) {
  const { t, locale, timeZone, environment } = view;
  const words = t.developers;
  const instant = (atMs: number) => <Instant atMs={atMs} locale={locale} timeZone={timeZone} />;
  const leaving = secrets.find(({ expiresAtMs }) => expiresAtMs !== null);
  return (
    <Panel id="secret" title={words.secret}>
      <p className="mb-3 max-w-prose text-muted">{words.secretText}</p>
      <ul className="mb-4 text-[0.9375rem]">
        {secrets.map(({ id, createdAtMs, expiresAtMs }) => (
          <li key={id}>
            <code className="font-mono text-muted text-sm">whsec_…</code> {words.signsSince}{' '}
            {instant(createdAtMs)}
            {expiresAtMs !== null && (
              <span className="text-caution">
                , {words.signsUntil} {instant(expiresAtMs)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayRotate ? (
        <SecretRotation
          environment={environment}
          t={words}
          back={t.back}
          leaving={leaving ? { id: leaving.id, signsSince: instant(leaving.createdAtMs) } : null}
        />
      ) : (
        <p className="text-muted">{t.suspended.rests}</p>
      )}
    </Panel>
  );
}

type ConnectionProps = {
  t: DashboardMessages['developers'];
  connection: { baseUrl: string; merchantId: string };
};

type SamplesProps = ConnectionProps & { environment: Environment };

/** What the programs take from the environment, to be pasted; a token's text is known to nobody. */
function TerminalValues({ t, connection, environment }: SamplesProps) {
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
      <CopyButton text={text} label={t.copy} done={t.copied} />
    </div>
  );
}

async function Samples({ t, connection, environment }: SamplesProps) {
  const [create, receive] = await Promise.all([
    readSamples('create-invoice', connection),
    readSamples('receive-callback', connection),
  ]);
  const words = { copy: t.copy, copied: t.copied };
  return (
    <>
      <Panel id="quick-start" title={t.create}>
        <p className="mb-3 text-muted">{t.tokenHint}</p>
        <TerminalValues {...{ t, connection, environment }} />
        <CodeTabs samples={create} label={`${t.create}: ${t.language}`} {...words} />
      </Panel>
      <Panel id="verify" title={t.verify}>
        <p className="mb-3 text-muted">{t.verifyText}</p>
        <CodeTabs samples={receive} label={`${t.verify}: ${t.language}`} {...words} />
      </Panel>
    </>
  );
}

function Connection({ t, connection }: ConnectionProps) {
  const fact = (name: string, text: string) => ({
    name,
    value: (
      <span className="flex flex-wrap items-center justify-between gap-2">
        <code className="min-w-0 break-all font-mono text-sm">{text}</code>
        <CopyButton text={text} label={t.copy} done={t.copied} of={name} />
      </span>
    ),
  });
  return (
    <Panel id="connection" title={t.connection}>
      <Facts
        facts={[fact(t.baseUrl, connection.baseUrl), fact(t.merchantId, connection.merchantId)]}
      />
    </Panel>
  );
}

export default async function DevelopersPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  // First: what somebody may not see is not asked for, or it would pass for an attempt to.
  const { permissions } = await api.account.current();
  const maySee = permissions.includes('token.read');
  const [{ t, locale }, connection, tokens, secrets, timeZone] = await Promise.all([
    dashboardMessages(),
    api.developers.connection(),
    maySee ? api.developers.tokens() : null,
    maySee ? api.developers.secrets() : null,
    viewerZone(session.merchant.timeZone),
  ]);
  const words = t.developers;
  const view = { t, locale, timeZone, environment };
  const mayMake = permissions.includes('token.manage');
  return (
    <>
      <PageTitle title={words.title}>
        <a href="/docs" className="button button-plain">
          {words.docs}
        </a>
        {permissions.includes('request.read') && (
          <PageLink
            href={`/dashboard/${environment}/developers/requests`}
            className="button button-plain"
          >
            {words.requests}
          </PageLink>
        )}
      </PageTitle>
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <Connection t={words} connection={connection} />
        {tokens && secrets && (
          <>
            <Panel id="tokens" title={words.tokens}>
              {mayMake ? (
                <TokenForm environment={environment} t={words} />
              ) : (
                <p className="text-muted">{t.suspended.rests}</p>
              )}
              <TokenList tokens={tokens.tokens} mayMake={mayMake} {...view} />
              {tokens.endedEarlier > 0 && (
                <p className="mt-2 text-muted text-sm">
                  {words.endedEarlier}: {tokens.endedEarlier}
                </p>
              )}
            </Panel>
            <Secrets
              secrets={secrets}
              mayRotate={permissions.includes('secret.manage')}
              {...view}
            />
          </>
        )}
        <Samples t={words} connection={connection} environment={environment} />
      </div>
    </>
  );
}
