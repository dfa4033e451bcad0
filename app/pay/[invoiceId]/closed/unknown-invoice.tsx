import { SearchIcon } from '#app/_ui/icons.tsx';
import { settleNotFound } from '#server/http/page-response.ts';
import type { Translator } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { Shell } from '../frame/shell.tsx';
import { Outcome } from './outcome.tsx';

/** The page for an address that names no invoice: 404, with or without script. */
export function UnknownInvoice({ t, locale }: { t: Translator<'pay'>; locale: Locale }) {
  settleNotFound();
  return (
    <Shell locale={locale} t={t} sandbox={false} width="message">
      <main id="payment" tabIndex={-1} className="py-10 lg:py-20">
        <Outcome tone="plain" icon={<SearchIcon className="size-8" />} title={t('unknown.title')}>
          <p>{t('unknown.text')}</p>
        </Outcome>
      </main>
    </Shell>
  );
}
