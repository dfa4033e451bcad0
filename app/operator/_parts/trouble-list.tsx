import type { ReactNode } from 'react';
import { countText } from '#app/_i18n/count-text.ts';
import { durationText } from '#app/_i18n/duration-text.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { TroubleView } from '#server/trpc/rows.ts';
import { isolated } from '../../_i18n/isolated.ts';
import { ActionButton } from '../../dashboard/_shared/forms/action-button.tsx';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { causePage, type GatewayTrouble, openHref, troubleHref } from './troubles.ts';

type View = { locale: Locale; timeZone: string; at: Date };

/** One trouble: its sentence leads to what it counts, and beside it stands since when. */
function Line({
  text,
  href,
  sinceMs,
  locale,
  timeZone,
  at,
  of,
  deed,
}: View & {
  text: string;
  href: string;
  sinceMs: number | null;
  of?: ReactNode;
  deed?: ReactNode;
}) {
  const t = translatorOf(locale, 'operator.overview');
  return (
    <li className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">
          <a className="link font-medium" href={href}>
            {text}
          </a>
        </p>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          {of}
          {of && sinceMs !== null && ' · '}
          {sinceMs !== null && (
            <>
              {t('since')} <Instant atMs={sinceMs} {...{ locale, timeZone }} /> ·{' '}
              {durationText(Math.max(0, at.getTime() - sinceMs), locale)}
            </>
          )}
        </p>
      </div>
      {deed}
    </li>
  );
}

/** Opens the merchant's dashboard at the cause; like every impersonation it is asked for first. */
function OpenCause({ locale, trouble }: { locale: Locale; trouble: TroubleView }) {
  const t = translatorOf(locale, 'operator.merchant');
  const label = translatorOf(locale, 'operator.troubles')('open');
  const page = causePage(trouble);
  if (page === null) return null;
  const { id, name } = trouble.merchant;
  return (
    <div>
      <ActionButton
        environment="sandbox"
        action={{ does: 'actFor', merchantId: id }}
        label={label}
        accessibleLabel={`${label}: ${name}`}
        goTo={`/dashboard/${trouble.environment}/${page}`}
        className="button button-plain button-compact"
        confirmation={{
          title: t('actTitle', { name: isolated(name) }),
          text: t('actText'),
          confirm: t('act'),
          back: t('back'),
        }}
      />
    </div>
  );
}

/**
 * Troubles of merchants, as lines of a list.
 *
 * @param isOwn whether they stand on their merchant's own page
 */
export function TroubleLines({
  troubles,
  isOwn = false,
  ...view
}: View & { troubles: readonly TroubleView[]; isOwn?: boolean }) {
  const { locale } = view;
  const t = translatorOf(locale, 'operator.troubles.kinds');
  return troubles.map((trouble) => {
    const { kind, environment, count, isMore, merchant, account, sinceMs } = trouble;
    const shown = countText(count, isMore, locale);
    const page = causePage(trouble);
    // On the merchant's own page its link would lead to where it stands.
    const isHere = isOwn && !account && page !== null;
    const owner = isOwn ? null : (
      <PageLink className="link-quiet" href={`/operator/merchants/${merchant.id}`}>
        <bdi>{merchant.name}</bdi>
      </PageLink>
    );
    return (
      <Line
        key={`${kind} ${environment} ${merchant.id} ${account?.id}`}
        text={t(kind, { count, shown })}
        href={isHere ? openHref(merchant.id, environment, page) : troubleHref(trouble)}
        of={
          (owner || account) && (
            <>
              {owner}
              {owner && account && ', '}
              {account && <bdi>{account.name}</bdi>}
            </>
          )
        }
        sinceMs={sinceMs}
        deed={<OpenCause locale={locale} trouble={trouble} />}
        {...view}
      />
    );
  });
}

/** Troubles of the gateway itself, as lines of a list. */
export function GatewayLines({ troubles, ...view }: View & { troubles: GatewayTrouble[] }) {
  const t = translatorOf(view.locale, 'operator.troubles.gateway');
  return troubles.map(({ kind, count, isMore, sinceMs, href }) => {
    const shown = countText(count, isMore, view.locale);
    return <Line key={kind} text={t(kind, { count, shown })} {...{ href, sinceMs, ...view }} />;
  });
}
