import type { Translator } from '#server/i18n/translator.ts';

/**
 * The payment's address as a QR code, to go on with a phone. Only wide screens show it, and only
 * they fetch it.
 */
export function PhoneLink({ invoiceId, t }: { invoiceId: string; t: Translator<'pay'> }) {
  return (
    <section aria-label={t('qr.title')} className="hidden items-center gap-4 lg:flex">
      <img
        src={`/pay/${invoiceId}/qr`}
        alt={t('qr.alt')}
        width="104"
        height="104"
        loading="lazy"
        className="size-26 shrink-0 rounded-lg border border-line bg-white"
      />
      <div className="text-sm">
        <p className="font-semibold">{t('qr.title')}</p>
        <p className="text-muted">{t('qr.text')}</p>
      </div>
    </section>
  );
}
