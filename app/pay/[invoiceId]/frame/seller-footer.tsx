import type { Translator } from '#server/i18n/translator.ts';
import { taxNumberKind } from '#server/lib/tax-number.ts';
import { SELLER_FIELDS, type SellerDetails } from '#server/merchants/types.ts';
import { type SellerLink, sellerLinks } from '#server/receipts/seller-links.ts';

function Links({ links }: { links: SellerLink[] }) {
  if (links.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-5">
      {links.map(({ text, url }) => (
        <li key={url} className="min-w-0">
          <a
            className="link-quiet wrap-anywhere inline-block py-1"
            href={url}
            // The payment stays open beside a page.
            target={url.startsWith('https:') ? '_blank' : undefined}
            rel="noopener noreferrer"
          >
            <bdi>{text}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Who gets the money and how to reach them; nothing where the merchant tells nothing. */
export function SellerFooter({
  seller,
  width,
  t,
}: {
  seller: SellerDetails;
  /** The class for the width of the page's content. */
  width: string;
  t: Translator<'pay'>;
}) {
  if (SELLER_FIELDS.every((each) => seller[each] === null)) return null;
  const { legalName, taxNumber, legalAddress } = seller;
  const links = sellerLinks(seller, t);
  return (
    <div className="mt-4 border-line border-t print:border-0">
      <div
        className={`mx-auto flex w-full flex-wrap justify-between gap-x-12 gap-y-3 px-4 py-6 text-muted text-sm sm:px-6 lg:px-8 print:px-0 ${width}`}
      >
        <div className="wrap-anywhere min-w-0 space-y-0.5 py-1 empty:hidden">
          {legalName && (
            <p className="font-medium text-ink">
              <bdi>{legalName}</bdi>
            </p>
          )}
          {taxNumber && (
            <p className="tabular-nums">
              {t('seller.taxNumber', { kind: taxNumberKind(taxNumber), number: taxNumber })}
            </p>
          )}
          {legalAddress && (
            <p className="max-w-[28rem] text-pretty">
              <bdi>{legalAddress}</bdi>
            </p>
          )}
        </div>
        <div className="min-w-0">
          <Links links={links.filter(({ kind }) => kind === 'contact')} />
          <Links links={links.filter(({ kind }) => kind === 'page')} />
        </div>
      </div>
    </div>
  );
}
