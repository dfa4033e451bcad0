import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { OperatorDeedView } from '#server/trpc/rows.ts';

/** What a deed was done to: the merchant, with the environment where it concerns one. */
export function DeedSubject({ deed, locale }: { deed: OperatorDeedView; locale: Locale }) {
  const t = translatorOf(locale, 'operator.merchants');
  const { merchant, environment, target } = deed;
  const isNamed = target === null || target.type === 'merchant' || target.type === 'user';
  if (!merchant && isNamed) return null;
  return (
    <span className="block text-muted [overflow-wrap:anywhere]">
      {merchant && (
        <PageLink href={`/operator/merchants/${merchant.id}`} className="link">
          <bdi>{merchant.name}</bdi>
        </PageLink>
      )}
      {environment && <span className="text-sm"> · {t(environment)}</span>}
      {!isNamed && <code className="block font-mono text-xs">{target.id}</code>}
    </span>
  );
}
