import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { SecondFactorView, SessionView } from '#server/trpc/rows.ts';
import { isolated } from '../../../_i18n/isolated.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { Instant } from '../instant.tsx';
import { Panel } from '../panel.tsx';
import { deviceName } from './device-name.ts';
import { PasswordPanel } from './password-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';

type View = { environment: Environment; locale: Locale; timeZone: string };

function SecondFactor({
  state,
  environment,
  locale,
  timeZone,
}: View & { state: SecondFactorView }) {
  const t = translatorOf(locale, 'dashboard.secondFactor');
  const { enabledAtMs, codesLeft, demandedBy, isDemandedOfOperators, hasPassword } = state;
  return (
    <SecondFactorPanel
      environment={environment}
      isOn={enabledAtMs !== null}
      isDemanded={demandedBy !== null || isDemandedOfOperators}
      hasPassword={hasPassword}
    >
      {enabledAtMs === null ? (
        <p className="max-w-prose text-muted">{t('off')}</p>
      ) : (
        <p className="max-w-prose text-muted">
          {t('on')} <Instant atMs={enabledAtMs} locale={locale} timeZone={timeZone} />.{' '}
          {t('codesLeft')} {codesLeft}.
          {demandedBy !== null && ` ${t('demanded')} ${isolated(demandedBy)}.`}
          {isDemandedOfOperators && ` ${t('demandedOfOperators')}`}
        </p>
      )}
    </SecondFactorPanel>
  );
}

function Sessions({ sessions, environment, locale, timeZone }: View & { sessions: SessionView[] }) {
  const t = translatorOf(locale, 'dashboard.account');
  return (
    <section aria-labelledby="sessions" className="card">
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
        <h2 id="sessions" className="font-semibold">
          {t('sessions')}
        </h2>
        {sessions.length > 1 && (
          <ActionButton
            environment={environment}
            action={{ does: 'endOtherSessions' }}
            label={t('endOthers')}
            done={t('endedOthers')}
          />
        )}
      </div>
      <ul className="divide-y divide-line border-line border-t">
        {[...sessions]
          .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
          .map((each) => (
            <li
              key={each.id}
              className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
            >
              <div className="min-w-0 text-[0.9375rem]">
                <p className="font-medium">
                  {deviceName(each.userAgent) ?? t('unknownDevice')}
                  {each.isCurrent && (
                    <span className="badge ml-2 rounded-full bg-positive-soft px-2 py-0.5 text-positive text-sm">
                      {t('thisOne')}
                    </span>
                  )}
                </p>
                <p className="text-muted text-sm">
                  {each.address ?? '–'} · {t('started')}{' '}
                  <Instant atMs={each.createdAtMs} locale={locale} timeZone={timeZone} /> ·{' '}
                  {t('seen')}{' '}
                  <Instant atMs={each.lastSeenAtMs} locale={locale} timeZone={timeZone} />
                </p>
              </div>
              {!each.isCurrent && (
                <ActionButton
                  environment={environment}
                  action={{ does: 'endSession', sessionId: each.id }}
                  label={t('end')}
                  done={t('ended')}
                  accessibleLabel={`${t('endLabel')} ${deviceName(each.userAgent) ?? t('unknownDevice')}`}
                />
              )}
            </li>
          ))}
      </ul>
    </section>
  );
}

/** The person's own second factor, password and sessions. */
export async function AccountPanels({
  sessions,
  secondFactor,
  ...view
}: Omit<View, 'locale'> & { sessions: SessionView[]; secondFactor: SecondFactorView }) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  return (
    <ClientMessages
      locale={locale}
      namespaces={['dashboard.secondFactor', 'dashboard.password', 'dashboard.typed']}
    >
      <div className="grid grid-cols-1 gap-5">
        <Panel id="second-factor" title={t('secondFactor.title')}>
          <SecondFactor {...view} locale={locale} state={secondFactor} />
        </Panel>
        {secondFactor.hasPassword && (
          <Panel id="password" title={t('password.title')}>
            <p className="mb-4 max-w-prose text-muted">{t('password.text')}</p>
            <PasswordPanel environment={view.environment} />
          </Panel>
        )}
        <Sessions {...view} locale={locale} sessions={sessions} />
      </div>
    </ClientMessages>
  );
}
