import type { Metadata } from 'next';
import type { Environment } from '#server/merchants/types.ts';
import type { SecondFactorView, SessionView } from '#server/trpc/rows.ts';
import type { DashboardMessages } from '../../_i18n/en.ts';
import { type DashboardLocale, dashboardMessages } from '../../_i18n/messages.ts';
import type { PeopleMessages } from '../../_i18n/people-en.ts';
import { peopleMessages } from '../../_i18n/people-messages.ts';
import { ActionButton } from '../../_parts/action-button.tsx';
import { deviceName } from '../../_parts/device-name.ts';
import { Instant } from '../../_parts/instant.tsx';
import { Panel } from '../../_parts/invoice-panels.tsx';
import { PageTitle } from '../../_parts/page-title.tsx';
import { PasswordPanel } from '../../_parts/password-panel.tsx';
import { SecondFactorPanel } from '../../_parts/second-factor-panel.tsx';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.account.title };
}

type View = { environment: Environment; locale: DashboardLocale; timeZone: string };

function SecondFactor({
  t,
  state,
  environment,
  locale,
  timeZone,
}: View & { t: PeopleMessages['secondFactor']; state: SecondFactorView }) {
  const { enabledAtMs, codesLeft, demandedBy } = state;
  return (
    <SecondFactorPanel
      environment={environment}
      t={t}
      isOn={enabledAtMs !== null}
      isDemanded={demandedBy !== null}
    >
      {enabledAtMs === null ? (
        <p className="max-w-prose text-muted">{t.off}</p>
      ) : (
        <p className="max-w-prose text-muted">
          {t.on} <Instant atMs={enabledAtMs} locale={locale} timeZone={timeZone} />. {t.codesLeft}{' '}
          {codesLeft}.{demandedBy !== null && ` ${t.demanded} ${demandedBy}.`}
        </p>
      )}
    </SecondFactorPanel>
  );
}

function Sessions({
  t,
  sessions,
  environment,
  locale,
  timeZone,
}: View & { t: DashboardMessages['account']; sessions: SessionView[] }) {
  return (
    <section aria-labelledby="sessions" className="card">
      <div className="flex flex-wrap items-center justify-between gap-3 p-4">
        <h2 id="sessions" className="font-semibold">
          {t.sessions}
        </h2>
        {sessions.length > 1 && (
          <ActionButton
            environment={environment}
            action={{ does: 'endOtherSessions' }}
            label={t.endOthers}
          />
        )}
      </div>
      <ul className="divide-y divide-line border-line border-t">
        {sessions.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center justify-between gap-3 p-4">
            <div className="min-w-0 text-[0.9375rem]">
              <p className="font-medium">
                {deviceName(each.userAgent) ?? t.unknownDevice}
                {each.isCurrent && (
                  <span className="ml-2 rounded-full bg-positive-soft px-2 py-0.5 text-positive text-sm">
                    {t.thisOne}
                  </span>
                )}
              </p>
              <p className="text-muted text-sm">
                {each.address ?? '–'} · {t.started}{' '}
                <Instant atMs={each.createdAtMs} locale={locale} timeZone={timeZone} /> · {t.seen}{' '}
                <Instant atMs={each.lastSeenAtMs} locale={locale} timeZone={timeZone} />
              </p>
            </div>
            {!each.isCurrent && (
              <ActionButton
                environment={environment}
                action={{ does: 'endSession', sessionId: each.id }}
                label={t.end}
                accessibleLabel={`${t.endLabel} ${deviceName(each.userAgent) ?? t.unknownDevice}`}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export default async function AccountPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, people, sessions, secondFactor, timeZone] = await Promise.all([
    dashboardMessages(),
    peopleMessages(),
    api.account.sessions(),
    api.security.secondFactor(),
    viewerZone(session.merchant.timeZone),
  ]);
  const view = { environment, locale, timeZone };
  return (
    <>
      <PageTitle title={t.account.title} />
      <p className="mb-6 text-muted">
        {session.user.email} · {t.roles[session.merchant.role]}
      </p>
      <div className="grid gap-5">
        <Panel id="second-factor" title={people.secondFactor.title}>
          <SecondFactor {...view} t={people.secondFactor} state={secondFactor} />
        </Panel>
        {secondFactor.hasPassword && (
          <Panel id="password" title={people.password.title}>
            <p className="mb-4 max-w-prose text-muted">{people.password.text}</p>
            <PasswordPanel environment={environment} t={people.password} />
          </Panel>
        )}
        <Sessions {...view} t={t.account} sessions={sessions} />
      </div>
    </>
  );
}
