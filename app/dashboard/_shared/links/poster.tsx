import { HouseMark } from '#app/_ui/house-mark.tsx';
import { localesOf, translatorOf } from '#server/i18n/translator.ts';
import { MerchantMark } from '../../../pay/[invoiceId]/frame/merchant-mark.tsx';

/** The sheet of paper that a link's page is when it is printed: what is paid by the code to whom. */
export function Poster({
  shop,
  amount,
  title,
  url,
  qr,
}: {
  /** Without a `logoUrl`, the name stands alone. */
  shop: { name: string; logoUrl?: string | null };
  /** Formatted; null where the buyer types it. */
  amount: string | null;
  title: string;
  url: string;
  /** The address of the code's picture. */
  qr: string;
}) {
  return (
    <div className="hidden justify-items-center gap-5 pt-8 text-center text-black print:grid">
      <div aria-hidden="true" className="frieze w-full" />
      <p className="flex items-center gap-4 font-semibold text-3xl">
        {shop.logoUrl !== undefined && <MerchantMark name={shop.name} logoUrl={shop.logoUrl} />}
        <bdi>{shop.name}</bdi>
      </p>
      <p className="max-w-xl font-semibold text-2xl [overflow-wrap:anywhere]">
        <bdi>{title}</bdi>
      </p>
      {amount && <p className="font-semibold text-5xl tabular-nums tracking-tight">{amount}</p>}
      <img src={qr} alt="" className="size-[11cm]" />
      <ul className="grid gap-1 text-2xl">
        {localesOf('dashboard').map((locale) => (
          <li key={locale} lang={locale}>
            {translatorOf(locale, 'dashboard.link')('scan')}
          </li>
        ))}
      </ul>
      <p className="flex items-center gap-2 text-sm [overflow-wrap:anywhere]">
        <HouseMark className="size-5 shrink-0" />
        {url}
      </p>
    </div>
  );
}
