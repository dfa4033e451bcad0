import { AlertIcon, CheckIcon } from '#app/_ui/icons.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { OperatorOverview } from '#server/trpc/rows.ts';
import { GatewayLines, TroubleLines } from './trouble-list.tsx';
import { gatewayTroubles } from './troubles.ts';

/** Says that all is well only where nothing waits or fails; else what does, the worst first. */
export function Verdict({
  locale,
  timeZone,
  overview,
}: {
  locale: Locale;
  timeZone: string;
  overview: OperatorOverview;
}) {
  const t = translatorOf(locale, 'operator.overview');
  const { environment, troubles: groups, troublesElsewhere: count, at } = overview;
  const view = { locale, timeZone, at };
  const own = gatewayTroubles(overview);
  const other = environment === 'production' ? 'sandbox' : 'production';
  const elsewhere = (
    <a className="link-quiet text-sm" href={`/operator/overview?environment=${other}`}>
      {t(`elsewhere.${other}`, { count })}
    </a>
  );
  if (own.length === 0 && groups.length === 0) {
    return (
      <section aria-label={t('well')} className="grid gap-2">
        <p className="flex items-center gap-3 rounded-xl border border-line bg-positive-soft p-4 text-[0.9375rem]">
          <CheckIcon className="size-5 shrink-0 text-positive" />
          <span>
            <strong className="font-semibold">{t('well')}.</strong> {t('wellText')}
          </span>
        </p>
        {elsewhere}
      </section>
    );
  }
  return (
    <section aria-labelledby="attention" className="grid gap-2">
      <div className="card min-w-0 p-5 pb-2">
        <h2 id="attention" className="mb-1 flex items-center gap-2 font-semibold text-lg">
          <AlertIcon className="size-5 shrink-0 text-negative" />
          {t('attention')}
        </h2>
        <ul className="divide-y divide-line text-[0.9375rem]">
          <GatewayLines troubles={own} {...view} />
          {groups.map(({ kind, troubles, more }) => [
            <TroubleLines key={kind} troubles={troubles} {...view} />,
            more > 0 && (
              <li key={`${kind} more`} className="py-3">
                <a className="link" href={`/operator/merchants?environment=${environment}`}>
                  {t('more', { count: more })}
                </a>
              </li>
            ),
          ])}
        </ul>
      </div>
      {elsewhere}
    </section>
  );
}
