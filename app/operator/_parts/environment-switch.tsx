import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';

const ORDER = ['production', 'sandbox'] as const satisfies Environment[];

/** The environment that an address asks for: production unless it names the sandbox. */
export const environmentIn = (given: string | string[] | undefined): Environment =>
  given === 'sandbox' ? 'sandbox' : 'production';

/** Production, and the sandbox apart from it. @param more what else the address keeps */
export function EnvironmentSwitch({
  locale,
  path,
  environment,
  more = {},
}: {
  locale: Locale;
  path: string;
  environment: Environment;
  more?: Record<string, string>;
}) {
  const t = translatorOf(locale, 'operator.merchants');
  return (
    <nav aria-label={t('environment')} className="flex flex-wrap gap-2 text-sm">
      {ORDER.map((each) => (
        <a
          key={each}
          href={`${path}?${new URLSearchParams({ environment: each, ...more })}`}
          aria-current={each === environment ? 'true' : undefined}
          className={`rounded-full border px-3 py-1.5 pointer-coarse:py-2.5 ${
            each === environment
              ? 'border-accent font-semibold text-accent'
              : 'border-line text-muted hover:text-ink'
          }`}
        >
          {t(each)}
        </a>
      ))}
    </nav>
  );
}
