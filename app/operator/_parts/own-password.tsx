'use client';

import { useLocale, useTranslations } from 'use-intl/react';
import type { NewMerchantView } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';

/** The owner's ways to a password: by e-mail, by the link beside, or by their present one. */
export function OwnPassword({
  link,
  timeZone,
}: {
  link: NewMerchantView['owner']['link'];
  timeZone: string;
}) {
  const t = useTranslations('operator.create');
  const locale = useLocale();
  if (!link) return <p className="mt-3 text-muted">{t('known')}</p>;
  const { url, isSent, expiresAtMs } = link;
  if (url === null && !isSent) return <p className="field-error mt-3">{t('linkNotSent')}</p>;
  return (
    <p className="mt-3 text-muted">
      {url === null ? t('linkSent') : t('linkText')}{' '}
      <Instant atMs={expiresAtMs} locale={locale} timeZone={timeZone} />.
    </p>
  );
}
