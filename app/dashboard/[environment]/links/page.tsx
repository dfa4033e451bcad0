import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { Badge } from '#app/_ui/badge.tsx';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { dashboardSession } from '../../_server/api.ts';
import { Notice } from '../../_shared/notice.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { paidText, priceText, STATE_TONES, usesText } from './_parts/link-words.ts';

type Props = { params: Promise<{ environment: string }> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: translatorOf(await requestLocale(), 'dashboard.links')('title') };
}

/** The links at which any number of buyers pay. */
export default async function LinksPage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.links');
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [links, { permissions }] = await Promise.all([api.links.list(), api.account.current()]);
  const base = `/dashboard/${environment}/links`;
  const create = permissions.includes('invoice.create') && (
    <PageLink href={`${base}/new`} className="button button-primary button-compact">
      {t('create')}
    </PageLink>
  );
  if (links.length === 0) {
    return (
      <>
        <PageTitle title={t('title')} />
        <Notice title={t('empty.title')} text={t('empty.text')}>
          {create}
        </Notice>
      </>
    );
  }
  return (
    <>
      <PageTitle title={t('title')}>{create}</PageTitle>
      <ul className="card divide-y divide-line">
        {links.map((link) => (
          <li
            key={link.id}
            className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-3 focus-within:bg-sunk hover:bg-sunk"
          >
            <div className="min-w-0 flex-[1_1_14rem]">
              <PageLink
                href={`${base}/${link.id}`}
                className="font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
              >
                <bdi>{link.title}</bdi>
              </PageLink>
              <p className="text-muted text-sm tabular-nums">{priceText(link, locale)}</p>
            </div>
            <div className="text-sm tabular-nums sm:text-right">
              <p>{paidText(link, locale)}</p>
              <p className="text-muted">{usesText(link, locale)}</p>
            </div>
            <Badge tone={STATE_TONES[link.state]}>{t(`states.${link.state}`)}</Badge>
          </li>
        ))}
      </ul>
    </>
  );
}
