import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { Notice } from '../notice.tsx';

type Way = { text: string; href: string };

/** The links onward from an empty screen. */
export function Ways({ ways }: { ways: Way[] }) {
  return (
    <p className="mt-3 flex flex-wrap justify-center gap-2">
      {ways.map(({ text, href }) => (
        <a key={href} href={href} className="button button-plain">
          {text}
        </a>
      ))}
    </p>
  );
}

type First = { locale: Locale; base: string; permissions: readonly string[] };

/** A merchant's ways to a first invoice. */
export function FirstInvoice({ locale, base, permissions }: First) {
  const t = translatorOf(locale, 'overview');
  const ways: Way[] = [];
  if (permissions.includes('business.read')) {
    ways.push({ text: t('quickStart'), href: `${base}/developers#quick-start` });
  }
  if (permissions.includes('invoice.create'))
    ways.push({ text: t('makeOne'), href: `${base}/invoices/new` });
  return <Ways ways={ways} />;
}

/** Stands in for the chart while there is no invoice. */
export function OverviewEmpty(props: First) {
  const t = translatorOf(props.locale, 'overview');
  return (
    <Notice title={t('nothingYet')} text={t('nothingYetText')}>
      <FirstInvoice {...props} />
    </Notice>
  );
}
