import type { Metadata } from 'next';
import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { countText } from '#app/_i18n/count-text.ts';
import { durationText } from '#app/_i18n/duration-text.ts';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { MerchantHealthView, TroubleView } from '#server/trpc/rows.ts';
import { isolated } from '../../../_i18n/isolated.ts';
import { load } from '../../../dashboard/_server/api.ts';
import { viewerZone } from '../../../dashboard/_server/zone.ts';
import { actorName, describeEntry } from '../../../dashboard/_shared/audit-words.ts';
import { BackLink } from '../../../dashboard/_shared/back-link.tsx';
import { CopyableId } from '../../../dashboard/_shared/copyable-id.tsx';
import { ActionButton } from '../../../dashboard/_shared/forms/action-button.tsx';
import { Instant } from '../../../dashboard/_shared/instant.tsx';
import { queryText, type SearchParams } from '../../../dashboard/_shared/lists/query-text.ts';
import { Notice } from '../../../dashboard/_shared/notice.tsx';
import { PageTitle } from '../../../dashboard/_shared/page-title.tsx';
import { Facts, Panel } from '../../../dashboard/_shared/panel.tsx';
import { environmentIn } from '../../_parts/environment-switch.tsx';
import { activityState, HealthBadge, merchantState } from '../../_parts/health.tsx';
import { TroubleLines } from '../../_parts/trouble-list.tsx';
import { pageToOpen } from '../../_parts/troubles.ts';
import { Volume } from '../../_parts/volume.tsx';
import { WaitingOwners } from '../../_parts/waiting-owners.tsx';
import { operatorSession } from '../../_server/api.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'operator.merchants');
  return { title: t('title') };
}

function Actions({ locale, merchant }: { locale: Locale; merchant: MerchantHealthView }) {
  const t = translatorOf(locale, 'operator.merchant');
  const isSuspended = merchant.status === 'suspended';
  const name = isolated(merchant.name);
  return (
    <>
      <ActionButton
        environment="sandbox"
        action={{ does: 'actFor', merchantId: merchant.id }}
        label={t('act')}
        goTo="/dashboard/sandbox"
        confirmation={{
          title: t('actTitle', { name }),
          text: t('actText'),
          confirm: t('act'),
          back: t('back'),
        }}
      />
      <ActionButton
        environment="sandbox"
        action={{
          does: 'setMerchantStatus',
          merchantId: merchant.id,
          status: isSuspended ? 'active' : 'suspended',
        }}
        label={isSuspended ? t('resume') : t('suspend')}
        done={isSuspended ? t('resumed') : t('suspended')}
        confirmation={{
          title: isSuspended ? t('resumeTitle', { name }) : t('suspendTitle', { name }),
          text: isSuspended ? t('resumeText') : t('suspendText'),
          confirm: isSuspended ? t('resume') : t('suspend'),
          back: t('back'),
          isDestructive: !isSuspended,
        }}
      />
    </>
  );
}

function Activity({
  activity,
  locale,
}: {
  activity: MerchantHealthView['activity'][number];
  locale: Locale;
}) {
  const t = translatorOf(locale, 'operator');
  const { paid, callbacksDue, callbackLagMs, exhausted } = activity;
  const due = countText(callbacksDue, activity.callbacksDueIsMore, locale);
  const waits = `${t('merchant.waits')} ${durationText(callbackLagMs, locale)}`;
  return (
    <Panel
      id={activity.environment}
      title={t(`merchants.${activity.environment}`)}
      mark={<HealthBadge locale={locale} state={activityState(activity)} />}
    >
      <Facts
        facts={[
          { name: t('merchant.paid'), value: countText(paid.count, false, locale) },
          {
            name: t('merchant.volume'),
            value: <Volume paid={paid} locale={locale} none={t('merchant.none')} />,
          },
          { name: t('merchant.waiting'), value: callbacksDue > 0 ? `${due}, ${waits}` : due },
          {
            name: t('merchant.exhausted'),
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

/** What waits or fails in one environment now, the worst first. */
function Troubles({
  troubles,
  environment,
  ...view
}: {
  locale: Locale;
  timeZone: string;
  at: Date;
  environment: Environment;
  troubles: TroubleView[];
}) {
  const t = translatorOf(view.locale, 'operator');
  const own = troubles.filter((each) => each.environment === environment);
  if (own.length === 0) return null;
  const title = `${t('merchants.troubles')}: ${t(`merchants.${environment}`)}`;
  return (
    <div className="md:col-span-2">
      <Panel id={`troubles-${environment}`} title={title}>
        <ul className="divide-y divide-line text-[0.9375rem]">
          <TroubleLines isOwn troubles={own} {...view} />
        </ul>
      </Panel>
    </div>
  );
}

/** The way to the page of its dashboard that a link asked for. */
function OpenPage({
  locale,
  merchant,
  path,
}: {
  locale: Locale;
  merchant: MerchantHealthView;
  path: string;
}) {
  const t = translatorOf(locale, 'operator.merchant');
  return (
    <section aria-label={t('act')} className="card mb-5 grid gap-3 p-5">
      <p className="max-w-prose text-[0.9375rem]">{t('actText')}</p>
      <p>
        <ActionButton
          environment="sandbox"
          action={{ does: 'actFor', merchantId: merchant.id }}
          label={t('actThere')}
          goTo={path}
          className="button button-primary"
        />
      </p>
    </section>
  );
}

export default async function MerchantPage({
  params,
  searchParams,
}: {
  params: Promise<{ merchantId: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const locale = await surfaceLocale('operator');
  const t = translatorOf(locale, 'operator');
  const common = translatorOf(locale, 'dashboard.callbacks');
  const { api } = await operatorSession();
  const [{ merchantId }, given] = await Promise.all([params, searchParams]);
  const toOpen = pageToOpen(queryText(given.open));
  const [timeZone, loaded] = await Promise.all([
    viewerZone('UTC'),
    load(api.operator.merchant({ merchantId })),
  ]);
  if (!loaded.ok) {
    return (
      <Notice isScreen title={t('merchant.notFound')}>
        <a href="/operator/merchants" className="button button-plain mt-3">
          {t('merchants.title')}
        </a>
      </Notice>
    );
  }
  const { merchant, audit, waitingOwners, troubles, at } = loaded.data;
  const instant = (atMs: number) => <Instant atMs={atMs} {...{ locale, timeZone }} />;
  // The list's first word about it: buyers see nothing of the sandbox.
  const mark = (
    <HealthBadge locale={locale} state={merchantState(merchant, 'production', troubles)} />
  );
  const owners = merchant.ownerEmails.join(', ') || t('merchant.noOwner');
  return (
    <ClientMessages
      locale={locale}
      namespaces={['operator.waitingOwners', 'operator.merchant', 'operator.create']}
    >
      <BackLink href="/operator/merchants" text={t('merchants.title')} />
      <PageTitle title={merchant.name} mark={mark}>
        <Actions locale={locale} merchant={merchant} />
      </PageTitle>
      {toOpen !== null && (
        <OpenPage
          {...{ locale, merchant }}
          path={`/dashboard/${environmentIn(given.environment)}/${toOpen}`}
        />
      )}
      <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
        <div className="md:col-span-2">
          <section className="card p-5" aria-label={t('merchant.about')}>
            <Facts
              isWide
              facts={[
                {
                  name: t('merchant.id'),
                  value: (
                    <CopyableId
                      id={merchant.id}
                      copy={common('copyId')}
                      copied={t('merchant.copied')}
                    />
                  ),
                },
                { name: t('merchant.owners'), value: owners },
                { name: t('merchant.created'), value: instant(merchant.createdAtMs) },
                ...(merchant.suspendedAtMs === null
                  ? []
                  : [
                      {
                        name: t('merchant.suspendedSince'),
                        value: instant(merchant.suspendedAtMs),
                      },
                    ]),
              ]}
            />
          </section>
        </div>
        {waitingOwners.length > 0 && (
          <div className="md:col-span-2">
            <Panel id="waiting-owners" title={t('waitingOwners.heading')}>
              <p className="mb-2 text-muted text-sm">{t('waitingOwners.lead')}</p>
              <WaitingOwners merchantId={merchant.id} owners={waitingOwners} timeZone={timeZone} />
            </Panel>
          </div>
        )}
        {(['production', 'sandbox'] as const).map((environment) => (
          <Troubles key={environment} {...{ locale, timeZone, at, environment, troubles }} />
        ))}
        {merchant.activity.map((activity) => (
          <Activity key={activity.environment} activity={activity} locale={locale} />
        ))}
        <div className="md:col-span-2">
          <Panel id="audit" title={t('merchant.audit')}>
            {audit.length === 0 && <p className="text-muted">{t('merchant.noAudit')}</p>}
            <ul className="divide-y divide-line sm:grid sm:grid-cols-[minmax(0,1fr)_fit-content(50%)_fit-content(10rem)] sm:gap-x-4">
              {audit.map((entry) => (
                <li
                  key={entry.id}
                  className="flex flex-wrap gap-x-4 gap-y-1 py-2 text-[0.9375rem] sm:col-span-3 sm:grid sm:grid-cols-subgrid"
                >
                  <span className="min-w-0 flex-[1_1_10rem] [overflow-wrap:anywhere]">
                    {describeEntry(entry, locale, isolated)}
                  </span>
                  <span className="order-last min-w-0 basis-full text-muted text-sm [overflow-wrap:anywhere] sm:order-none">
                    {actorName(entry.actor, locale)}
                  </span>
                  <span className="text-muted text-sm sm:text-right">{instant(entry.atMs)}</span>
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      </div>
    </ClientMessages>
  );
}
