import { requestLocale } from '#app/_i18n/request-locale.ts';
import { SearchIcon } from '#app/_ui/icons.tsx';
import { payMessages } from '../_i18n/messages.ts';
import { Outcome } from '../_parts/outcome.tsx';
import { Shell } from '../_parts/shell.tsx';

export default async function UnknownInvoice() {
  const locale = await requestLocale();
  const t = payMessages(locale);
  return (
    <Shell locale={locale} t={t} sandbox={false}>
      <main id="payment" tabIndex={-1} className="mx-auto max-w-xl py-10 lg:py-20">
        <Outcome tone="plain" icon={<SearchIcon className="size-8" />} title={t.unknown.title}>
          <p>{t.unknown.text}</p>
        </Outcome>
      </main>
    </Shell>
  );
}
