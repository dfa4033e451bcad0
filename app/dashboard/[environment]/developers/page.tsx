import type { Metadata } from 'next';
import type { Environment } from '#server/merchants/types.ts';
import type { TokenView } from '#server/trpc/rows.ts';
import type { DashboardMessages } from '../../_i18n/en.ts';
import { type DashboardLocale, dashboardMessages } from '../../_i18n/messages.ts';
import { ActionButton } from '../../_parts/action-button.tsx';
import { CopyButton } from '../../_parts/copy-button.tsx';
import { Instant } from '../../_parts/instant.tsx';
import { Facts, Panel } from '../../_parts/invoice-panels.tsx';
import { Notice } from '../../_parts/notice.tsx';
import { PageTitle } from '../../_parts/page-title.tsx';
import { quickStart } from '../../_parts/quick-start.ts';
import { SecretRotation } from '../../_parts/secret-rotation.tsx';
import { TokenForm } from '../../_parts/token-form.tsx';
import { dashboardSession, load } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.developers.title };
}

type View = {
  t: DashboardMessages;
  locale: DashboardLocale;
  timeZone: string;
  environment: Environment;
};

function Token({ token, ...view }: View & { token: TokenView }) {
  const { t, locale, timeZone, environment } = view;
  const words = t.developers;
  const instant = (atMs: number) => <Instant atMs={atMs} locale={locale} timeZone={timeZone} />;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 text-[0.9375rem]">
        <p className="font-medium [overflow-wrap:anywhere]">
          {token.name} <code className="ml-1 font-mono text-muted text-sm">{token.prefix}…</code>
        </p>
        <p className="text-muted text-sm">
          {words.created} {instant(token.createdAtMs)} · {words.lastUsed}{' '}
          {token.lastUsedAtMs === null ? words.notYet : instant(token.lastUsedAtMs)}
          {token.expiresAtMs !== null && (
            <>
              {' '}
              · {words.expires} {instant(token.expiresAtMs)}
            </>
          )}
        </p>
      </div>
      {token.isActive ? (
        <ActionButton
          environment={environment}
          action={{ does: 'deactivateToken', tokenId: token.id }}
          label={words.deactivate}
          accessibleLabel={`${words.deactivate}: ${token.name}`}
          confirmation={{
            title: `${words.deactivateTitle} “${token.name}”`,
            text: words.deactivateText,
            confirm: words.deactivate,
            back: t.invoice.keep,
          }}
        />
      ) : (
        <span className="rounded-full bg-sunk px-2.5 py-0.5 text-muted text-sm">{words.ended}</span>
      )}
    </li>
  );
}

export default async function DevelopersPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, connection, tokens, timeZone] = await Promise.all([
    dashboardMessages(),
    api.developers.connection(),
    load(api.developers.tokens()),
    viewerZone(session.merchant.timeZone),
  ]);
  const words = t.developers;
  const view = { t, locale, timeZone, environment };
  const example = quickStart(connection);
  const code = (text: string) => <code className="font-mono text-sm">{text}</code>;
  return (
    <>
      <PageTitle title={words.title} />
      <div className="grid gap-5">
        <Panel id="connection" title={words.connection}>
          <Facts
            facts={[
              { name: words.baseUrl, value: code(connection.baseUrl) },
              { name: words.merchantId, value: code(connection.merchantId) },
            ]}
          />
        </Panel>
        {tokens.ok ? (
          <>
            <Panel id="tokens" title={words.tokens}>
              <TokenForm environment={environment} t={words} />
              <ul className="mt-2 divide-y divide-line">
                {tokens.data.map((token) => (
                  <Token key={token.id} token={token} {...view} />
                ))}
              </ul>
            </Panel>
            <Panel id="secret" title={words.secret}>
              <p className="mb-4 max-w-prose text-muted">{words.secretText}</p>
              <SecretRotation environment={environment} t={words} back={t.invoice.keep} />
            </Panel>
          </>
        ) : (
          <Notice title={t.noPermission.title} text={t.noPermission.text} />
        )}
        <Panel id="quick-start" title={words.quickStart}>
          <pre className="mb-3 whitespace-pre-wrap break-all rounded-lg bg-sunk p-4 font-mono text-sm">
            {example}
          </pre>
          <CopyButton text={example} label={words.copy} done={words.copied} />
        </Panel>
      </div>
    </>
  );
}
