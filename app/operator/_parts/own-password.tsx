'use client';

import type { NewMerchantView } from '#server/trpc/rows.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import type { OperatorView } from '../_i18n/messages.ts';

/** How the owner comes to a password: by e-mail, by the link beside, or by the one they have. */
export function OwnPassword({
  link,
  view,
}: {
  link: NewMerchantView['owner']['link'];
  view: OperatorView;
}) {
  const { t, locale, timeZone } = view;
  const words = t.create;
  if (!link) return <p className="mt-3 text-muted">{words.known}</p>;
  const { url, isSent, expiresAtMs } = link;
  if (url === null && !isSent) return <p className="field-error mt-3">{words.linkNotSent}</p>;
  return (
    <p className="mt-3 text-muted">
      {url === null ? words.linkSent : words.linkText}{' '}
      <Instant atMs={expiresAtMs} locale={locale} timeZone={timeZone} />.
    </p>
  );
}
