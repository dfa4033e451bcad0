import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { AcquirerAccountView } from '#server/trpc/rows.ts';

type Fault = NonNullable<AcquirerAccountView['checkFault']>;

/** Why an acquirer was turned away, or would not work with an account, with the acquirer's own code. */
export function FaultText({ fault: { code, detail }, locale }: { fault: Fault; locale: Locale }) {
  if (code === null) return <span lang="en">{detail}</span>;
  const words = translatorOf(locale, 'acquirers.faults')(code);
  if (detail === null) return words;
  return (
    <>
      {words} (<code className="break-all font-mono text-[0.9em]">{detail}</code>)
    </>
  );
}
