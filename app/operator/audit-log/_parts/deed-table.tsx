import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { OperatorDeedView } from '#server/trpc/rows.ts';
import { isolated } from '../../../_i18n/isolated.ts';
import { actorName, describeEntry } from '../../../dashboard/_shared/audit-words.ts';
import { Instant } from '../../../dashboard/_shared/instant.tsx';

type View = { locale: Locale; timeZone: string };

/** What a deed was done to: the merchant, with the environment where it concerns one. */
function Subject({ deed, locale }: { deed: OperatorDeedView; locale: Locale }) {
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

function Deed({ deed, locale, timeZone }: View & { deed: OperatorDeedView }) {
  return (
    <tr className="align-top max-md:grid max-md:gap-0.5 max-md:px-4 max-md:py-3">
      <td className="whitespace-nowrap text-muted text-sm md:px-4 md:py-3">
        <Instant atMs={deed.atMs} locale={locale} timeZone={timeZone} withSeconds />
      </td>
      <td className="[overflow-wrap:anywhere] md:px-4 md:py-3">{actorName(deed.actor, locale)}</td>
      <td className="[overflow-wrap:anywhere] md:px-4 md:py-3">
        <span className="font-medium">{describeEntry(deed, locale, isolated)}</span>
        <Subject deed={deed} locale={locale} />
      </td>
      <td
        className={`whitespace-nowrap text-muted text-sm md:px-4 md:py-3 ${
          deed.address === null ? 'max-md:sr-only' : ''
        }`}
      >
        {deed.address ?? '–'}
      </td>
    </tr>
  );
}

/** The operators' log, the newest first. */
export function DeedTable({ deeds, ...view }: View & { deeds: OperatorDeedView[] }) {
  const t = translatorOf(view.locale, 'dashboard.audit');
  return (
    <div className="card overflow-x-auto">
      <table className="w-full text-left text-[0.9375rem]">
        <caption className="sr-only">{t('table')}</caption>
        <thead className="border-line border-b text-muted text-sm max-md:sr-only">
          <tr>
            {[t('when'), t('person'), t('what'), t('where')].map((name) => (
              <th key={name} scope="col" className="px-4 py-2.5 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {deeds.map((deed) => (
            <Deed key={deed.id} deed={deed} {...view} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
