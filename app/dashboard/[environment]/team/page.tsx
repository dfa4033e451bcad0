import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { localesOf, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { type Environment, ROLES, type Role } from '#server/merchants/types.ts';
import type { InvitationItem, MemberItem } from '#server/trpc/rows.ts';
import { businessSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { Instant } from '../../_shared/instant.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { Panel } from '../../_shared/panel.tsx';
import { Unfold } from '../../_shared/unfold.tsx';
import { DemandControl } from './_parts/demand-control.tsx';
import { InvitationControls } from './_parts/invitation-controls.tsx';
import { InviteForm } from './_parts/invite-form.tsx';
import { LeaveControl, MemberControls } from './_parts/member-controls.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.team');
  return { title: t('title') };
}

type View = { locale: Locale; timeZone: string; environment: Environment };

const BADGE = 'badge rounded-full px-2 py-0.5 text-sm';

function Member({
  member,
  ownId,
  mayChange,
  mayGo,
  grantable,
  ...view
}: View & {
  member: MemberItem;
  ownId: string;
  mayChange: boolean;
  mayGo: boolean;
  grantable: readonly Role[];
}) {
  const { locale, timeZone, environment } = view;
  const t = translatorOf(locale, 'dashboard');
  const isSelf = member.userId === ownId;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-3.5">
      <div className="min-w-0 text-[0.9375rem]">
        <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          {member.email}
          {isSelf && <span className={`${BADGE} bg-sunk text-muted`}>{t('team.you')}</span>}
          {member.isDisabled && (
            <span className={`${BADGE} bg-caution-soft text-caution`}>{t('team.disabled')}</span>
          )}
        </p>
        <p className="text-muted text-sm">
          {member.hasSecondFactor !== null && (
            <>
              <span className={member.hasSecondFactor ? 'text-positive' : 'text-caution'}>
                {member.hasSecondFactor ? t('team.factorOn') : t('team.factorOff')}
              </span>{' '}
              ·{' '}
            </>
          )}
          {member.lastSeenAtMs === null ? (
            t('team.notSeen')
          ) : (
            <>
              {t('team.seen')}{' '}
              <Instant atMs={member.lastSeenAtMs} locale={locale} timeZone={timeZone} />
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className={`${BADGE} bg-sunk`}>{t(`roles.${member.role}`)}</span>
        {mayChange && (
          <MemberControls
            environment={environment}
            member={member}
            roles={grantable}
            isSelf={isSelf}
          />
        )}
        {isSelf && mayGo && <LeaveControl environment={environment} email={member.email} />}
      </div>
    </li>
  );
}

function Invitation({
  invitation,
  mayChange,
  mayInvite,
  ...view
}: View & { invitation: InvitationItem; mayChange: boolean; mayInvite: boolean }) {
  const { locale, timeZone, environment } = view;
  const t = translatorOf(locale, 'dashboard');
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3.5">
      <div className="min-w-0 text-[0.9375rem]">
        <p className="font-medium [overflow-wrap:anywhere]">{invitation.email}</p>
        <p className="text-muted text-sm">
          {t(`roles.${invitation.role}`)} ·{' '}
          {invitation.isExpired ? t('team.expired') : t('team.until')}{' '}
          <Instant atMs={invitation.expiresAtMs} locale={locale} timeZone={timeZone} />
        </p>
      </div>
      {mayChange && (
        <InvitationControls
          environment={environment}
          invitationId={invitation.id}
          email={invitation.email}
          mayResend={mayInvite}
        />
      )}
    </li>
  );
}

/** This many addresses fit on a phone, two lines each. */
const UNSCROLLED = 4;

function Demand({
  locale,
  environment,
  isDemanded,
  mayChange,
  without,
}: View & { isDemanded: boolean; mayChange: boolean; without: string[] }) {
  const t = translatorOf(locale, 'dashboard.team');
  return (
    <Panel id="demand" title={t('demand')}>
      <p className="mb-4 max-w-prose text-muted last:mb-0">
        {isDemanded ? t('demandOn') : t('demandOff')}
      </p>
      {mayChange && (
        <DemandControl environment={environment} isDemanded={isDemanded}>
          {isDemanded ? (
            <p>{t('releaseText')}</p>
          ) : (
            <>
              <p>{without.length > 0 ? t('demandText') : t('demandNobody')}</p>
              {without.length > 0 && (
                <section
                  className="mt-2 max-h-48 overflow-y-auto text-ink"
                  aria-label={t('demandList')}
                  // The keyboard stops here if the list may scroll.
                  tabIndex={without.length > UNSCROLLED ? 0 : undefined}
                >
                  <ul>
                    {without.map((email) => (
                      <li key={email}>{email}</li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          )}
        </DemandControl>
      )}
    </Panel>
  );
}

/** The merchant's staff, and the people invited to it. */
export default async function TeamPage({ params }: { params: Promise<{ environment: string }> }) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  // The permissions come first: a query without permission would be logged as an attempt.
  const current = await api.account.current();
  const mayManage = current.permissions.includes('team.manage');
  const [members, invitations, demand, timeZone] = await Promise.all([
    api.team.members(),
    mayManage ? api.team.invitations() : null,
    api.team.demand(),
    viewerZone(session.merchant.timeZone),
  ]);
  const view: View = { locale, timeZone, environment };
  const mayInvite = current.permissions.includes('team.invite');
  const own = ROLES.indexOf(session.merchant.role);
  const owners = members.filter(({ role }) => role === 'owner');
  const lastOwner = owners.length === 1 ? owners[0] : null;
  const grantable = mayManage ? ROLES.slice(own) : [];
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.team', 'dashboard.roles']}>
      <PageTitle title={t('team.title')} />
      <div className="grid grid-cols-1 gap-5">
        <Panel id="members" title={`${t('team.members')} · ${members.length}`}>
          <ul className="-my-2 divide-y divide-line">
            {members.map((member) => (
              <Member
                key={member.userId}
                member={member}
                ownId={session.user.id}
                mayChange={grantable.includes(member.role) && member !== lastOwner}
                mayGo={member !== lastOwner}
                grantable={grantable}
                {...view}
              />
            ))}
          </ul>
          <details className="mt-4 border-line border-t pt-3">
            <Unfold>{t('team.whatRoles')}</Unfold>
            <dl className="mt-2 grid gap-2 text-[0.9375rem] sm:grid-cols-[10rem_minmax(0,1fr)]">
              {ROLES.map((role) => (
                <div key={role} className="contents">
                  <dt className="font-medium">{t(`roles.${role}`)}</dt>
                  <dd className="text-muted">{t(`team.roleTexts.${role}`)}</dd>
                </div>
              ))}
            </dl>
          </details>
        </Panel>
        {invitations && (
          <Panel id="invite" title={t('team.invite')}>
            {mayInvite ? (
              <InviteForm
                environment={environment}
                roles={grantable}
                languages={localesOf('mail')}
              />
            ) : (
              <p className="text-muted">{t('suspended.rests')}</p>
            )}
            {invitations.length > 0 && (
              <>
                <h3 className="mt-6 font-medium text-muted text-sm">{t('team.open')}</h3>
                <ul className="divide-y divide-line">
                  {invitations.map((invitation) => (
                    <Invitation
                      key={invitation.id}
                      invitation={invitation}
                      mayChange={grantable.includes(invitation.role)}
                      mayInvite={mayInvite}
                      {...view}
                    />
                  ))}
                </ul>
              </>
            )}
          </Panel>
        )}
        <Demand
          {...view}
          isDemanded={demand.isDemanded}
          mayChange={current.permissions.includes('team.secure')}
          without={members
            .filter((each) => each.hasSecondFactor === false)
            .map(({ email }) => email)}
        />
      </div>
    </ClientMessages>
  );
}
