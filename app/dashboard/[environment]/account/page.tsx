import type { Metadata } from 'next';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { ActionButton } from '../../_parts/action-button.tsx';
import { deviceName } from '../../_parts/device-name.ts';
import { Instant } from '../../_parts/instant.tsx';
import { PageTitle } from '../../_parts/page-title.tsx';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.account.title };
}

export default async function AccountPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, sessions, timeZone] = await Promise.all([
    dashboardMessages(),
    api.account.sessions(),
    viewerZone(session.merchant.timeZone),
  ]);
  return (
    <>
      <PageTitle title={t.account.title} />
      <p className="mb-6 text-muted">
        {session.user.email} · {t.roles[session.merchant.role]}
      </p>
      <section aria-labelledby="sessions" className="card">
        <div className="flex flex-wrap items-center justify-between gap-3 p-4">
          <h2 id="sessions" className="font-semibold">
            {t.account.sessions}
          </h2>
          {sessions.length > 1 && (
            <ActionButton
              environment={environment}
              action={{ does: 'endOtherSessions' }}
              label={t.account.endOthers}
            />
          )}
        </div>
        <ul className="divide-y divide-line border-line border-t">
          {sessions.map((each) => (
            <li key={each.id} className="flex flex-wrap items-center justify-between gap-3 p-4">
              <div className="min-w-0 text-[0.9375rem]">
                <p className="font-medium">
                  {deviceName(each.userAgent) ?? t.account.unknownDevice}
                  {each.isCurrent && (
                    <span className="ml-2 rounded-full bg-positive-soft px-2 py-0.5 text-positive text-sm">
                      {t.account.thisOne}
                    </span>
                  )}
                </p>
                <p className="text-muted text-sm">
                  {each.address ?? '–'} · {t.account.started}{' '}
                  <Instant atMs={each.createdAtMs} locale={locale} timeZone={timeZone} /> ·{' '}
                  {t.account.seen}{' '}
                  <Instant atMs={each.lastSeenAtMs} locale={locale} timeZone={timeZone} />
                </p>
              </div>
              {!each.isCurrent && (
                <ActionButton
                  environment={environment}
                  action={{ does: 'endSession', sessionId: each.id }}
                  label={t.account.end}
                  accessibleLabel={`${t.account.endLabel} ${deviceName(each.userAgent) ?? t.account.unknownDevice}`}
                />
              )}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
