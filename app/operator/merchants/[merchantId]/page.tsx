import type { Metadata } from 'next';
import { countText } from '#app/_i18n/count-text.ts';
import { durationText } from '#app/_i18n/duration-text.ts';
import type { MerchantHealthView } from '#server/trpc/rows.ts';
import { isolated } from '../../../_i18n/isolated.ts';
import { actorName, auditMessages, describeEntry } from '../../../dashboard/_i18n/audit-words.ts';
import { dashboardMessages } from '../../../dashboard/_i18n/messages.ts';
import { load } from '../../../dashboard/_server/api.ts';
import { viewerZone } from '../../../dashboard/_server/zone.ts';
import { BackLink } from '../../../dashboard/_shared/back-link.tsx';
import { CopyableId } from '../../../dashboard/_shared/copyable-id.tsx';
import { ActionButton } from '../../../dashboard/_shared/forms/action-button.tsx';
import { filled } from '../../../dashboard/_shared/forms/question-text.ts';
import { Instant } from '../../../dashboard/_shared/instant.tsx';
import { Notice } from '../../../dashboard/_shared/notice.tsx';
import { PageTitle } from '../../../dashboard/_shared/page-title.tsx';
import { Facts, Panel } from '../../../dashboard/_shared/panel.tsx';
import type { OperatorMessages } from '../../_i18n/en.ts';
import { type OperatorView, operatorMessages } from '../../_i18n/messages.ts';
import { activityState, HealthBadge, merchantState } from '../../_parts/health.tsx';
import { Volume } from '../../_parts/volume.tsx';
import { WaitingOwners } from '../../_parts/waiting-owners.tsx';
import { operatorSession } from '../../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await operatorMessages()).t.merchants.title };
}

function Actions({ merchant, t }: { merchant: MerchantHealthView; t: OperatorMessages }) {
  const words = t.merchant;
  const isSuspended = merchant.status === 'suspended';
  const named = (title: string) => filled(title, { name: merchant.name });
  return (
    <>
      <ActionButton
        environment="sandbox"
        action={{ does: 'actFor', merchantId: merchant.id }}
        label={words.act}
        goTo="/dashboard/sandbox"
        confirmation={{
          title: named(words.actTitle),
          text: words.actText,
          confirm: words.act,
          back: words.back,
        }}
      />
      <ActionButton
        environment="sandbox"
        action={{
          does: 'setMerchantStatus',
          merchantId: merchant.id,
          status: isSuspended ? 'active' : 'suspended',
        }}
        label={isSuspended ? words.resume : words.suspend}
        done={isSuspended ? words.resumed : words.suspended}
        confirmation={{
          title: named(isSuspended ? words.resumeTitle : words.suspendTitle),
          text: isSuspended ? words.resumeText : words.suspendText,
          confirm: isSuspended ? words.resume : words.suspend,
          back: words.back,
          isDestructive: !isSuspended,
        }}
      />
    </>
  );
}

function Activity({
  activity,
  t,
  locale,
}: OperatorView & { activity: MerchantHealthView['activity'][number] }) {
  const words = t.merchant;
  const { paid, callbacksDue, callbackLagMs, exhausted } = activity;
  const due = countText(callbacksDue, activity.callbacksDueIsMore, locale);
  const waits = `${words.waits} ${durationText(callbackLagMs, locale)}`;
  return (
    <Panel
      id={activity.environment}
      title={t.merchants[activity.environment]}
      mark={<HealthBadge state={activityState(activity)} t={t} />}
    >
      <Facts
        facts={[
          { name: words.paid, value: countText(paid.count, false, locale) },
          {
            name: words.volume,
            value: <Volume paid={paid} locale={locale} none={words.none} />,
          },
          { name: words.waiting, value: callbacksDue > 0 ? `${due}, ${waits}` : due },
          {
            name: words.exhausted,
            value: (
              <span className={exhausted > 0 ? 'font-semibold text-negative' : ''}>
                {countText(exhausted, activity.exhaustedIsMore, locale)}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}

export default async function MerchantPage({
  params,
}: {
  params: Promise<{ merchantId: string }>;
}) {
  const { api } = await operatorSession();
  const { merchantId } = await params;
  const [{ t, locale }, { t: common }, auditWords, timeZone, loaded] = await Promise.all([
    operatorMessages(),
    dashboardMessages(),
    auditMessages(),
    viewerZone('UTC'),
    load(api.operator.merchant({ merchantId })),
  ]);
  if (!loaded.ok) {
    return (
      <Notice isScreen title={t.merchant.notFound}>
        <a href="/operator/merchants" className="button button-plain mt-3">
          {t.merchants.title}
        </a>
      </Notice>
    );
  }
  const { merchant, audit, waitingOwners } = loaded.data;
  const view = { t, locale, timeZone };
  const words = t.merchant;
  const instant = (atMs: number) => <Instant atMs={atMs} {...{ locale, timeZone }} />;
  // What the list says of it first: buyers see nothing of the sandbox.
  const mark = <HealthBadge state={merchantState(merchant, 'production')} t={t} />;
  const owners = merchant.ownerEmails.join(', ') || words.noOwner;
  return (
    <>
      <BackLink href="/operator/merchants" text={t.merchants.title} />
      <PageTitle title={merchant.name} mark={mark}>
        <Actions merchant={merchant} t={t} />
      </PageTitle>
      <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
        <div className="md:col-span-2">
          <section className="card p-5" aria-label={words.about}>
            <Facts
              isWide
              facts={[
                {
                  name: words.id,
                  value: (
                    <CopyableId
                      id={merchant.id}
                      copy={common.callbacks.copyId}
                      copied={words.copied}
                    />
                  ),
                },
                { name: words.owners, value: owners },
                { name: words.created, value: instant(merchant.createdAtMs) },
                ...(merchant.suspendedAtMs === null
                  ? []
                  : [{ name: words.suspendedSince, value: instant(merchant.suspendedAtMs) }]),
              ]}
            />
          </section>
        </div>
        {waitingOwners.length > 0 && (
          <div className="md:col-span-2">
            <Panel id="waiting-owners" title={t.waitingOwners.heading}>
              <p className="mb-2 text-muted text-sm">{t.waitingOwners.lead}</p>
              <WaitingOwners merchantId={merchant.id} owners={waitingOwners} view={view} />
            </Panel>
          </div>
        )}
        {merchant.activity.map((activity) => (
          <Activity key={activity.environment} activity={activity} {...view} />
        ))}
        <div className="md:col-span-2">
          <Panel id="audit" title={words.audit}>
            {audit.length === 0 && <p className="text-muted">{words.noAudit}</p>}
            <ul className="divide-y divide-line sm:grid sm:grid-cols-[minmax(0,1fr)_fit-content(50%)_fit-content(10rem)] sm:gap-x-4">
              {audit.map((entry) => (
                <li
                  key={entry.id}
                  className="flex flex-wrap gap-x-4 gap-y-1 py-2 text-[0.9375rem] sm:col-span-3 sm:grid sm:grid-cols-subgrid"
                >
                  <span className="min-w-0 flex-[1_1_10rem] [overflow-wrap:anywhere]">
                    {describeEntry(entry, auditWords, common.roles, isolated)}
                  </span>
                  <span className="order-last min-w-0 basis-full text-muted text-sm [overflow-wrap:anywhere] sm:order-none">
                    {actorName(entry.actor, auditWords)}
                  </span>
                  <span className="text-muted text-sm sm:text-right">{instant(entry.atMs)}</span>
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      </div>
    </>
  );
}
