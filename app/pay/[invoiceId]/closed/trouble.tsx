import { AlertIcon } from '#app/_ui/icons.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { Shell } from '../frame/shell.tsx';
import { Outcome } from './outcome.tsx';

/** The page of an unreadable invoice: it says what is certain, and nothing of charges. */
export function Trouble({ t, locale }: { t: Translator<'pay'>; locale: Locale }) {
  return (
    <Shell locale={locale} t={t} sandbox={false} width="message">
      <main id="payment" tabIndex={-1} className="py-10 lg:py-20">
        <Outcome
          tone="caution"
          icon={<AlertIcon className="size-8" />}
          title={t('trouble.title')}
          actions={
            // An empty address is this page's own; a reload of a post would ask to send it again.
            <a className="button button-primary" href="?">
              {t('trouble.again')}
            </a>
          }
        >
          <p>{t('trouble.text')}</p>
        </Outcome>
      </main>
    </Shell>
  );
}
