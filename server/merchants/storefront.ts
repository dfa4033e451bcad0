import type { Queryable } from '../db/pool.ts';
import { SELLER_SELECTED } from './seller.ts';
import type { SellerDetails } from './types.ts';

/** A merchant as a buyer sees it. */
export type Storefront = {
  name: string;
  /** The logo's address, or null: the page shows the name's first letter. */
  logoUrl: string | null;
  /** `#rrggbb`, or null. */
  brandColor: string | null;
  /** IANA name of the zone for dates on receipts. */
  timeZone: string;
  /** The language for a buyer whose browser asks for none of ours. */
  defaultLocale: string;
  seller: SellerDetails;
};

type Row = SellerDetails & {
  name: string;
  logo_url: string | null;
  brand_color: string | null;
  time_zone: string;
  default_locale: string;
};

/** How a merchant presents itself on its payment page, or null for an unknown one. */
export async function readStorefront(
  db: Queryable,
  merchantId: string,
): Promise<Storefront | null> {
  const { rows } = await db.query<Row>({
    name: 'storefront',
    text: `SELECT name, logo_url, brand_color, time_zone, default_locale,
             ${SELLER_SELECTED}
           FROM merchants WHERE id = $1::text`,
    values: [merchantId],
  });
  const [row] = rows;
  if (!row) return null;
  const { name, logo_url, brand_color, time_zone, default_locale, ...seller } = row;
  return {
    name,
    logoUrl: logo_url,
    brandColor: brand_color,
    timeZone: time_zone,
    defaultLocale: default_locale,
    seller,
  };
}
